// The OMPL side of the comparison: the same problems through OMPL's fastest interface (a state space
// whose distance is overridden in C++, raw doubles, validity and propagation inlined in one class).
//
//   ompl_side limit                              steps per second of the bare loop, for each problem
//   ompl_side PROBLEM PLANNER FIRST LAST CAP first    runs until the first path
//   ompl_side PROBLEM SST FIRST LAST CAP cost         SST until CAP, best cost over time
//
// One line of JSON for each run. Times are processor seconds; every run is a process of its own.
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <ompl/base/OptimizationObjective.h>
#include <ompl/base/ProblemDefinition.h>
#include <ompl/base/goals/GoalSampleableRegion.h>
#include <ompl/base/spaces/RealVectorStateProjections.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/control/PathControl.h>
#include <ompl/control/SpaceInformation.h>
#include <ompl/control/planners/est/EST.h>
#include <ompl/control/planners/kpiece/KPIECE1.h>
#include <ompl/control/planners/rrt/RRT.h>
#include <ompl/control/planners/sst/SST.h>
#include <ompl/control/spaces/RealVectorControlSpace.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include "scene.h"

namespace ob = ompl::base;
namespace oc = ompl::control;

static const double STEP = 0.05;
static const int MOST_STEPS = 20;

static double cpu() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static inline double wrap(double a) { return a > M_PI ? a - 2 * M_PI : a < -M_PI ? a + 2 * M_PI : a; }
static inline double turn(double a, double b) {
    double t = std::fabs(a - b);
    return t > M_PI ? 2 * M_PI - t : t;
}
template <int N> static inline double norm(const double *a, const double *b) {
    double s = 0;
    for (int i = 0; i < N; i++) s += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(s);
}

static inline bool free_in_plane(double x, double y) {
    if (!(x >= 0 && x <= 10 && y >= 0 && y <= 10)) return false;
    for (int i = 0; i < N_CIRCLES; i++) {
        double dx = x - CIRCLES[i][0], dy = y - CIRCLES[i][1];
        if (dx * dx + dy * dy < CIRCLES[i][2] * CIRCLES[i][2]) return false;
    }
    for (int i = 0; i < N_BOXES; i++)
        if (x > BOXES[i][0] && x < BOXES[i][1] && y > BOXES[i][2] && y < BOXES[i][3]) return false;
    return true;
}

struct Car {
    static constexpr int N = 3, M = 2, D = 2, YAW = 2;
    static constexpr double TOLERANCE = 0.5, SELECT = 0.4, PRUNE = 0.2;
    static constexpr double LOW[N] = {0, 0, -M_PI}, HIGH[N] = {10, 10, M_PI};
    static constexpr double ULOW[M] = {-1, -0.6}, UHIGH[M] = {1, 0.6};
    static constexpr double START[N] = {1, 1, 0}, GOAL[N] = {9, 9, 0};
    static void rate(const double *x, const double *u, double *d) {
        d[0] = u[0] * std::cos(x[2]);
        d[1] = u[0] * std::sin(x[2]);
        d[2] = u[0] * std::tan(u[1]) / 0.5;
    }
    static bool valid(const double *x) { return free_in_plane(x[0], x[1]); }
    static double distance(const double *a, const double *b) {
        return norm<2>(a, b) + 0.5 * turn(a[2], b[2]);
    }
    static double to_goal(const double *x) { return distance(x, GOAL); }
};

struct Unicycle {
    static constexpr int N = 5, M = 2, D = 2, YAW = 2;
    static constexpr double TOLERANCE = 0.9, SELECT = 0.5, PRUNE = 0.25;
    static constexpr double LOW[N] = {0, 0, -M_PI, -1, -1.5}, HIGH[N] = {10, 10, M_PI, 1, 1.5};
    static constexpr double ULOW[M] = {-1, -2}, UHIGH[M] = {1, 2};
    static constexpr double START[N] = {1, 1, 0, 0, 0}, GOAL[N] = {9, 9, 0, 0, 0};
    static void rate(const double *x, const double *u, double *d) {
        d[0] = x[3] * std::cos(x[2]);
        d[1] = x[3] * std::sin(x[2]);
        d[2] = x[4];
        d[3] = u[0];
        d[4] = u[1];
    }
    static bool valid(const double *x) {
        return std::fabs(x[3]) <= 1 && std::fabs(x[4]) <= 1.5 && free_in_plane(x[0], x[1]);
    }
    static double distance(const double *a, const double *b) {
        return norm<2>(a, b) + 0.5 * turn(a[2], b[2]) + 0.3 * norm<2>(a + 3, b + 3);
    }
    static double to_goal(const double *x) { return distance(x, GOAL); }
};

struct Quadrotor {
    static constexpr int N = 12, M = 4, D = 3, YAW = 5;
    static constexpr double TOLERANCE = 1.5, SELECT = 1.0, PRUNE = 0.5;
    static constexpr double LOW[N] = {0, 0, 0, -0.8, -0.8, -M_PI, -2, -2, -2, -2, -2, -2};
    static constexpr double HIGH[N] = {10, 10, 10, 0.8, 0.8, M_PI, 2, 2, 2, 2, 2, 2};
    static constexpr double ULOW[M] = {7, -0.6, -0.6, -0.3}, UHIGH[M] = {12.6, 0.6, 0.6, 0.3};
    static constexpr double START[N] = {1, 1, 1}, GOAL[N] = {6, 6, 6};
    static void rate(const double *x, const double *u, double *d) {
        double cr = std::cos(x[3]), sr = std::sin(x[3]), cp = std::cos(x[4]), sp = std::sin(x[4]);
        double cy = std::cos(x[5]), sy = std::sin(x[5]);
        double p = x[9], q = x[10], r = x[11], inverse = 1 / cp, qs = q * sr + r * cr;
        d[0] = x[6];
        d[1] = x[7];
        d[2] = x[8];
        d[3] = p + qs * sp * inverse;
        d[4] = q * cr - r * sr;
        d[5] = qs * inverse;
        d[6] = u[0] * (cr * sp * cy + sr * sy);
        d[7] = u[0] * (cr * sp * sy - sr * cy);
        d[8] = u[0] * cr * cp - 9.81;
        d[9] = u[1] - 0.4 * q * r;
        d[10] = u[2] + 0.4 * p * r;
        d[11] = u[3];
    }
    static bool valid(const double *x) {
        for (int i = 0; i < 3; i++)
            if (!(x[i] >= 0 && x[i] <= 10)) return false;
        if (std::fabs(x[3]) > 0.8 || std::fabs(x[4]) > 0.8) return false;
        for (int i = 6; i < 12; i++)
            if (std::fabs(x[i]) > 2) return false;
        for (int i = 0; i < N_CUBOIDS; i++) {
            const double *c = CUBOIDS[i];
            if (x[0] > c[0] && x[0] < c[3] && x[1] > c[1] && x[1] < c[4] && x[2] > c[2] && x[2] < c[5])
                return false;
        }
        return true;
    }
    static double distance(const double *a, const double *b) {
        return norm<3>(a, b) + 0.1 * norm<2>(a + 3, b + 3) + 0.1 * turn(a[5], b[5]) +
               0.1 * norm<3>(a + 6, b + 6) + 0.02 * norm<3>(a + 9, b + 9);
    }
    static double to_goal(const double *x) { return norm<3>(x, GOAL); }
};

template <class P> static inline void runge_kutta(const double *x, const double *u, double h, double *o) {
    double k1[P::N], k2[P::N], k3[P::N], k4[P::N], t[P::N];
    P::rate(x, u, k1);
    for (int i = 0; i < P::N; i++) t[i] = x[i] + .5 * h * k1[i];
    P::rate(t, u, k2);
    for (int i = 0; i < P::N; i++) t[i] = x[i] + .5 * h * k2[i];
    P::rate(t, u, k3);
    for (int i = 0; i < P::N; i++) t[i] = x[i] + h * k3[i];
    P::rate(t, u, k4);
    for (int i = 0; i < P::N; i++) o[i] = x[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    o[P::YAW] = wrap(o[P::YAW]);
}

static long steps = 0;
static bool found = false;
static double begun = 0;
static std::vector<std::pair<double, double>> costs;

static const double *values(const ob::State *s) { return s->as<ob::RealVectorStateSpace::StateType>()->values; }
static double *values(ob::State *s) { return s->as<ob::RealVectorStateSpace::StateType>()->values; }

// The last number of a state is the time since the start; the distance does not see it. It is what
// lets SST of OMPL 1.5, whose motions cost what their end states say, minimise the duration.
template <class P> struct Space : ob::RealVectorStateSpace {
    Space() : ob::RealVectorStateSpace(P::N + 1) {
        for (int i = 0; i < P::N; i++) {
            bounds_.setLow(i, P::LOW[i]);
            bounds_.setHigh(i, P::HIGH[i]);
        }
        bounds_.setLow(P::N, 0);
        bounds_.setHigh(P::N, 1e9);
    }
    double distance(const ob::State *a, const ob::State *b) const override {
        return P::distance(values(a), values(b));
    }
};

template <class P> struct Projection : ob::ProjectionEvaluator {
    Projection(const ob::StateSpacePtr &space) : ob::ProjectionEvaluator(space) {
        setCellSizes(std::vector<double>(P::D, 0.5));
    }
    unsigned int getDimension() const override { return P::D; }
    void project(const ob::State *s, Eigen::Ref<Eigen::VectorXd> out) const override {
        for (int i = 0; i < P::D; i++) out(i) = values(s)[i];
    }
};

template <class P> struct Propagator : oc::StatePropagator {
    using oc::StatePropagator::StatePropagator;
    void propagate(const ob::State *s, const oc::Control *c, double h, ob::State *r) const override {
        double o[P::N];
        const double *u = c->as<oc::RealVectorControlSpace::ControlType>()->values;
        double time = values(s)[P::N] + h;
        runge_kutta<P>(values(s), u, h, o);
        std::memcpy(values(r), o, sizeof o);
        values(r)[P::N] = time;
        steps++;
    }
    bool canPropagateBackward() const override { return false; }
};

template <class P> struct Validity : ob::StateValidityChecker {
    using ob::StateValidityChecker::StateValidityChecker;
    bool isValid(const ob::State *s) const override { return P::valid(values(s)); }
};

template <class P> struct Goal : ob::GoalSampleableRegion {
    Goal(const ob::SpaceInformationPtr &si) : ob::GoalSampleableRegion(si) { setThreshold(P::TOLERANCE); }
    // SST of OMPL 1.5 tells nobody of a better path before it ends, so the goal notes them: it is
    // asked about every state that enters the tree.
    double distanceGoal(const ob::State *s) const override {
        double d = P::to_goal(values(s)), cost = values(s)[P::N];
        if (d <= P::TOLERANCE && (costs.empty() || cost < costs.back().second)) {
            costs.emplace_back(cpu() - begun, cost);
            found = true;
        }
        return d;
    }
    void sampleGoal(ob::State *s) const override {
        std::memcpy(values(s), P::GOAL, sizeof P::GOAL);
        values(s)[P::N] = 0;
    }
    unsigned int maxSampleCount() const override { return 1; }
};

template <class P> struct Duration : ob::OptimizationObjective {
    Duration(const ob::SpaceInformationPtr &si) : ob::OptimizationObjective(si) { threshold_ = ob::Cost(0); }
    ob::Cost stateCost(const ob::State *) const override { return ob::Cost(0); }
    ob::Cost motionCost(const ob::State *a, const ob::State *b) const override {
        return ob::Cost(values(b)[P::N] - values(a)[P::N]);
    }
};

template <class P> static void run(const char *problem, const std::string &name, int seed, double cap, bool first) {
    ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
    ompl::RNG::setSeed(seed + 1);
    auto space = std::make_shared<Space<P>>();
    space->registerDefaultProjection(std::make_shared<Projection<P>>(space));
    auto controls = std::make_shared<oc::RealVectorControlSpace>(space, P::M);
    ob::RealVectorBounds bounds(P::M);
    for (int i = 0; i < P::M; i++) {
        bounds.setLow(i, P::ULOW[i]);
        bounds.setHigh(i, P::UHIGH[i]);
    }
    controls->setBounds(bounds);
    auto si = std::make_shared<oc::SpaceInformation>(space, controls);
    si->setStatePropagator(std::make_shared<Propagator<P>>(si));
    si->setStateValidityChecker(std::make_shared<Validity<P>>(si));
    si->setPropagationStepSize(STEP);
    si->setMinMaxControlDuration(1, MOST_STEPS);
    si->setup();
    auto pdef = std::make_shared<ob::ProblemDefinition>(si);
    ob::ScopedState<> start(space);
    for (int i = 0; i < P::N; i++) start[i] = P::START[i];
    start[P::N] = 0;
    pdef->addStartState(start);
    pdef->setGoal(std::make_shared<Goal<P>>(si));
    if (name == "SST") pdef->setOptimizationObjective(std::make_shared<Duration<P>>(si));

    ob::PlannerPtr planner;
    if (name == "RRT") planner = std::make_shared<oc::RRT>(si);
    if (name == "EST") planner = std::make_shared<oc::EST>(si);
    if (name == "KPIECE1") planner = std::make_shared<oc::KPIECE1>(si);
    if (name == "SST") {
        auto sst = std::make_shared<oc::SST>(si);
        sst->setSelectionRadius(P::SELECT);
        sst->setPruningRadius(P::PRUNE);
        planner = sst;
    }
    planner->setProblemDefinition(pdef);
    planner->setup();
    long asked = 0;
    steps = 0;
    begun = cpu();
    planner->solve(ob::PlannerTerminationCondition([&] {
        if (first && found) return true;
        return ++asked % 64 == 0 && cpu() - begun > cap;
    }));
    double time = cpu() - begun;
    bool solved = pdef->hasExactSolution() || (name == "SST" && found);
    double cost = -1;
    if (name == "SST" && found) {
        cost = costs.back().second;
    } else if (solved) {
        auto *path = static_cast<oc::PathControl *>(pdef->getSolutionPath().get());
        cost = path->length();
    }
    if (first && name == "SST" && found) time = costs.front().first;
    std::printf("{\"side\": \"ompl\", \"problem\": \"%s\", \"planner\": \"%s\", \"seed\": %d, \"solved\": %s, "
                "\"cpu\": %.6f, \"steps\": %ld, \"cost\": %.6f, \"costs\": [",
                problem, name.c_str(), seed, solved ? "true" : "false", time, steps, cost);
    if (!first)
        for (size_t i = 0; i < costs.size(); i++)
            std::printf("%s[%.4f, %.4f]", i ? ", " : "", costs[i].first, costs[i].second);
    std::printf("]}\n");
    std::fflush(stdout);
    _exit(0);
}

static unsigned long long word = 88172645463325252ull;
static double uniform() {
    word ^= word << 13;
    word ^= word >> 7;
    word ^= word << 17;
    return (word >> 11) * (1.0 / 9007199254740992.0);
}

// The bare loop: random states and controls of the same kind as in a tree, ten steps or until invalid.
template <class P> static void limit(const char *problem) {
    double best = 0, sum = 0;
    for (int repeat = 0; repeat < 3; repeat++) {
        long count = 0;
        double begun = cpu(), x[P::N], o[P::N], u[P::M];
        while (count < 3000000) {
            for (int i = 0; i < P::N; i++) {
                double half = 0.25 * (P::HIGH[i] - P::LOW[i]), middle = 0.5 * (P::HIGH[i] + P::LOW[i]);
                x[i] = i < P::D ? P::LOW[i] + 10 * uniform() : middle + half * (2 * uniform() - 1);
            }
            for (int i = 0; i < P::M; i++) u[i] = P::ULOW[i] + (P::UHIGH[i] - P::ULOW[i]) * uniform();
            for (int k = 0; k < 10; k++) {
                runge_kutta<P>(x, u, STEP, o);
                count++;
                if (!P::valid(o)) break;
                std::memcpy(x, o, sizeof o);
            }
            sum += x[0];
        }
        best = std::max(best, count / (cpu() - begun));
    }
    std::printf("{\"side\": \"bare loop\", \"problem\": \"%s\", \"rate\": %.0f, \"sum\": %g}\n", problem, best, sum);
}

template <class P> static void runs(char **argv) {
    bool first = std::string(argv[6]) == "first";
    for (int seed = std::atoi(argv[3]); seed < std::atoi(argv[4]); seed++) {
        std::fflush(stdout);
        if (pid_t child = fork()) waitpid(child, nullptr, 0);
        else run<P>(argv[1], argv[2], seed, std::atof(argv[5]), first);
    }
}

int main(int argc, char **argv) {
    if (argc == 2) {
        limit<Car>("car");
        limit<Unicycle>("unicycle");
        limit<Quadrotor>("quadrotor");
        return 0;
    }
    std::string problem = argv[1];
    if (problem == "car") runs<Car>(argv);
    if (problem == "unicycle") runs<Unicycle>(argv);
    if (problem == "quadrotor") runs<Quadrotor>(argv);
}
