"""Contact lists and phases: which foot is where, and when."""

from footwork.contacts.contact import Contact as Contact
from footwork.contacts.contact import ContactType as ContactType
from footwork.contacts.contact import PlannedContact as PlannedContact
from footwork.contacts.contact import rectangle_patch as rectangle_patch
from footwork.contacts.contact_list import ContactList as ContactList
from footwork.contacts.contact_phase import ContactPhase as ContactPhase
from footwork.contacts.contact_phase import ContactPhaseList as ContactPhaseList
from footwork.contacts.contact_phase import PhaseChange as PhaseChange
from footwork.contacts.json_io import contacts_from_json as contacts_from_json
from footwork.contacts.json_io import contacts_to_json as contacts_to_json
from footwork.contacts.json_io import read_contacts as read_contacts
from footwork.contacts.json_io import write_contacts as write_contacts
from footwork.contacts.measured import ContactWrench as ContactWrench
from footwork.contacts.measured import Corner as Corner
from footwork.contacts.measured import DiscreteGeometryContact as DiscreteGeometryContact
from footwork.contacts.measured import EstimatedContact as EstimatedContact
from footwork.contacts.nanoseconds import FOREVER as FOREVER
from footwork.contacts.nanoseconds import seconds as seconds
from footwork.contacts.nanoseconds import to_seconds as to_seconds
