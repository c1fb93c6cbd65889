"""Dice that report by themselves: over Bluetooth or a serial line, behind one port, as one witness."""
