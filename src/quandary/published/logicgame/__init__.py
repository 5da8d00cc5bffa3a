"""LogicGame's published items, read as questions of ours; one module per category.

Each has `read(text, language)`, which takes a published prompt and gives the instance whose answer
and process are its key.  ValueError tells why an item is not read: a line that is not understood,
or a defect of the item.
"""
