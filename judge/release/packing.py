"""Files of a release: bytes that depend only on their content and on SOURCE_DATE_EPOCH.

Entries are triples of name, bytes and mode. A name that ends with a slash is a folder.
"""

import gzip
import io
import os
import tarfile
import time
import zipfile

EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))


def zipped(path, entries):
    """Writes a zip file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, content, mode in entries:
            entry = zipfile.ZipInfo(name, time.gmtime(EPOCH)[:6])
            entry.create_system = 3  # Modes are Unix's, whatever system packs them.
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, content)


def tarred(entries):
    """The bytes of a compressed tar file."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as file:
        for name, content, mode in entries:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(content), mode, EPOCH
            if name.endswith("/"):
                entry.type = tarfile.DIRTYPE
            file.addfile(entry, io.BytesIO(content))
    return compressed(packed.getvalue())


def compressed(content):
    """The bytes as gzip packs them."""
    return gzip.compress(content, mtime=EPOCH)
