"""What people at the table see happen, as data that knows how to apply itself; a room for each subject."""
