"""Our own drawings, a folder for each game that has proxies. A folder offers three things:

`draw(key, pixels)` -> (height, width, 3) uint8 BGR, the printed top at the top, `pixels` wide;
`size_mm(key)` -> width and height of the piece on paper;
and it draws from the set's values alone: no code, no hidden mark on any piece.
"""
