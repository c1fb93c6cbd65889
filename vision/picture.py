"""Reading a picture file, with one plain sentence for everything that is not an ordinary picture."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, TiffImagePlugin, UnidentifiedImageError

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp"})
"""File name endings that are taken for pictures when a folder is read."""

_OTHER_SUFFIXES = frozenset({".gif", ".tif", ".tiff", ".heic", ".heif", ".avif", ".jp2", ".jxl", ".raw", ".dng"})
MIN_SIDE = 32
MAX_PIXELS = 64_000_000

_FORMATS = ("JPEG", "PNG", "WEBP", "BMP", "GIF", "TIFF")
_MODES = frozenset({"1", "L", "LA", "P", "PA", "RGB", "RGBA"})
_PNG_DEPTH = 24


class PictureError(ValueError):
    """A file that is not a picture we can read; the message is one sentence for the person."""


def pictures_in(folder: Path) -> list[Path]:
    """Return the picture files of a folder by name, none if there is no such folder.

    :raises PictureError: if one is of a kind that cannot be read: left out in silence, its card would be missed.
    """
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    if other := [file for file in files if file.suffix.lower() in _OTHER_SUFFIXES]:
        raise PictureError(
            f"{other[0]} is a {other[0].suffix[1:].upper()} file; save it as JPEG or PNG, or take it out"
        )
    return [file for file in files if file.suffix.lower() in SUFFIXES]


def read_picture(path: Path) -> NDArray[np.uint8]:
    """Return the picture as BGR uint8 of shape (height, width, 3), turned upright by its EXIF tag.

    :raises PictureError: if the file is missing, not a picture, cut off, animated, CMYK, deeper than
        8 bits a channel, smaller than 32 pixels a side or larger than 64 megapixels.
    """
    if not path.exists():
        raise PictureError(f"there is no file {path}; name a JPEG or PNG picture")
    if path.is_dir():
        raise PictureError(f"{path} is a folder; expected one JPEG or PNG picture")
    try:
        with warnings.catch_warnings():
            # Pillow warns about large pictures; the size is checked below, before anything is decoded.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(path, formats=_FORMATS) as picture:
                _check(picture, path)
                upright = ImageOps.exif_transpose(picture)
                colours = np.asarray(upright.convert("RGB"))
    except PictureError:
        raise
    except Image.DecompressionBombError:
        raise PictureError(
            f"{path} has far more than {MAX_PIXELS // 1_000_000} megapixels; save it smaller and try again"
        ) from None
    except UnidentifiedImageError:
        raise PictureError(f"{path} is not a picture; expected a JPEG or PNG file") from None
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise PictureError(f"{path} cannot be read as a picture ({error}); save or copy it again") from None
    return np.ascontiguousarray(colours[:, :, ::-1])


def _check(picture: Image.Image, path: Path) -> None:
    width, height = picture.size
    if min(width, height) < MIN_SIDE:
        raise PictureError(
            f"{path} is {width} x {height} pixels; a picture of cards needs at least {MIN_SIDE} pixels a side"
        )
    if width * height > MAX_PIXELS:
        raise PictureError(
            f"{path} has {width * height / 1e6:.0f} megapixels; save it with at most "
            f"{MAX_PIXELS // 1_000_000} and try again"
        )
    # Phones write a second, small picture behind the first one ("MPO"); that is no animation.
    if picture.format != "MPO" and getattr(picture, "n_frames", 1) > 1:
        raise PictureError(f"{path} is animated; expected a single picture, so save one frame of it")
    if picture.mode == "CMYK":
        raise PictureError(f"{path} has printing colours (CMYK); save it as RGB and try again")
    if picture.mode not in _MODES or _is_deep(picture, path):
        raise PictureError(f"{path} has more than 8 bits a colour; save it with 8 bits and try again")


def _is_deep(picture: Image.Image, path: Path) -> bool:
    # Pillow brings 16-bit colours down to 8 without a word, so the file's own header is asked.
    if isinstance(picture, TiffImagePlugin.TiffImageFile):
        return any(int(bits) > 8 for bits in picture.tag_v2.get(TiffImagePlugin.BITSPERSAMPLE, ()))
    if picture.format != "PNG":
        return False
    with path.open("rb") as stream:
        header = stream.read(_PNG_DEPTH + 1)
    return len(header) > _PNG_DEPTH and header[_PNG_DEPTH] == 16


def save_picture(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write a BGR picture (height, width, 3) as PNG or JPEG, by the ending of the file's name.

    :raises PictureError: if the file cannot be written.
    """
    try:
        Image.fromarray(np.ascontiguousarray(picture[:, :, ::-1])).save(path)
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise PictureError(f"{path} cannot be written ({why}); name a .png file in a folder that exists") from None
