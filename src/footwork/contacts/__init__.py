"""Contact lists and phases: which foot is where, and when."""

from footwork.contacts.contact import Contact as Contact
from footwork.contacts.contact import ContactType as ContactType
from footwork.contacts.contact import PlannedContact as PlannedContact
from footwork.contacts.contact import rectangle_patch as rectangle_patch
from footwork.contacts.contact_list import ContactList as ContactList
from footwork.contacts.contact_phase import ContactPhase as ContactPhase
from footwork.contacts.contact_phase import ContactPhaseList as ContactPhaseList
from footwork.contacts.contact_phase import PhaseChange as PhaseChange
from footwork.contacts.measured import ContactWrench as ContactWrench
from footwork.contacts.measured import Corner as Corner
from footwork.contacts.measured import DiscreteGeometryContact as DiscreteGeometryContact
from footwork.contacts.measured import EstimatedContact as EstimatedContact
from footwork.contacts.time import FOREVER as FOREVER
from footwork.contacts.time import seconds as seconds
from footwork.contacts.time import to_seconds as to_seconds
