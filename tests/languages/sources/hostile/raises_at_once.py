# Runtime error: `raises_at_once.py:3: AttributeError: 
# judge: game=mahjong
None.property
