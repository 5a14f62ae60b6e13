#!/bin/sh
# Sets up the peers: OMPL's library and headers, and the wheel in an environment of its own.
# Usage: setup.sh [folder]; the folder receives the environment and the built program.
# PYTHON names an interpreter that has Footwork; .venv's when not given.
set -eu
folder=${1:-build/footwork-bench}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
python=${PYTHON:-.venv/bin/python}
[ -d /usr/include/ompl-1.5 ] || { apt-get update -qq; apt-get install -y -qq libompl-dev g++; }
[ -x "$folder/wheel/bin/python" ] || python3 -m venv "$folder/wheel"
"$folder/wheel/bin/pip" install -q "ompl==2.0.1" numpy
"$python" -c "import sys; sys.path.insert(0, '$here'); from pathlib import Path; import problems; problems.write_header(Path('$folder/scene.h'))"
# Debian built the library for 16-byte alignment of Eigen; -march=native alone would break its interface.
g++ -O3 -march=native -DEIGEN_MAX_ALIGN_BYTES=16 -DNDEBUG -std=c++17 -I"$folder" -I/usr/include/ompl-1.5 -I/usr/include/eigen3 \
    "$here/ompl_side.cpp" -lompl -o "$folder/ompl_side"
