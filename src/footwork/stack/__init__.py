"""Prioritised tasks and constraints, and the hierarchical solver that resolves them."""

from footwork.stack.adapters import ConstraintToTask as ConstraintToTask
from footwork.stack.adapters import TaskToConstraint as TaskToConstraint
from footwork.stack.aggregated import Aggregated as Aggregated
from footwork.stack.aggregated import AggregatedConstraint as AggregatedConstraint
from footwork.stack.constraint import Constraint as Constraint
from footwork.stack.generic import GenericConstraint as GenericConstraint
from footwork.stack.generic import GenericLPTask as GenericLPTask
from footwork.stack.generic import GenericTask as GenericTask
from footwork.stack.generic import MinimizeVariable as MinimizeVariable
from footwork.stack.journal import Journal as Journal
from footwork.stack.journal import JournalData as JournalData
from footwork.stack.journal import journal_to_mat as journal_to_mat
from footwork.stack.journal import read_journal as read_journal
from footwork.stack.leaf import LeafConstraint as LeafConstraint
from footwork.stack.leaf import LeafTask as LeafTask
from footwork.stack.rows import Indices as Indices
from footwork.stack.settings import HessianType as HessianType
from footwork.stack.stack import Stack as Stack
from footwork.stack.sub_constraint import SubConstraint as SubConstraint
from footwork.stack.sub_task import SubTask as SubTask
from footwork.stack.task import Task as Task
from footwork.stack.variables import Affine as Affine
from footwork.stack.variables import Variables as Variables
from footwork.stack.views import ConstrainedTask as ConstrainedTask
from footwork.stack.views import WeightedTask as WeightedTask
