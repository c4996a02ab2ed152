"""Lets `longjmp` work in a module without exceptions: behind every call that may end in a jump, a
function returns at once if there is one under way (see longjmp.c).

usage: unwind.py MODULE OUT
"""
import sys


def leb(n):
    out = bytearray()
    while True:
        byte = n & 0x7F
        n >>= 7
        out.append(byte | 0x80 if n else byte)
        if not n:
            return bytes(out)


def sleb(n):
    out = bytearray()
    while n > 0x3F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


class Reader:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def u(self):
        result = shift = 0
        while True:
            byte = self.byte()
            result |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return result

    def skip_leb(self):
        while self.byte() & 0x80:
            pass

    def take(self, n):
        self.at += n
        return self.data[self.at - n:self.at]

    def name(self):
        return self.take(self.u()).decode()


def skip_operands(r, op):
    if op in (0x02, 0x03, 0x04):  # a block's type
        r.skip_leb()
    elif op in (0x0C, 0x0D, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0xD0, 0xD2, 0x3F, 0x40, 0x41, 0x42):
        r.skip_leb()
    elif op == 0x0E:
        for _ in range(r.u() + 1):
            r.skip_leb()
    elif op == 0x11:
        r.skip_leb()
        r.skip_leb()
    elif op == 0x1C:
        for _ in range(r.u()):
            r.byte()
    elif 0x28 <= op <= 0x3E:
        r.skip_leb()
        r.skip_leb()
    elif op == 0x43:
        r.take(4)
    elif op == 0x44:
        r.take(8)
    elif op == 0xFC:
        sub = r.u()
        for _ in range({8: 2, 9: 1, 10: 2, 11: 1, 12: 2, 13: 1, 14: 2, 15: 1, 16: 1, 17: 1}.get(sub, 0)):
            r.skip_leb()
    elif op >= 0xC5 and op != 0xD1:
        raise ValueError(f"operator {op:#x}")


def instructions(body):
    """The operators of a body after its locals: (start, end, operator, first operand)."""
    r = Reader(body)
    for _ in range(r.u()):
        r.u()
        r.byte()
    yield 0, r.at, None, None
    while r.at < len(body):
        start = r.at
        op = r.byte()
        operand = None
        if op in (0x10, 0x11):
            mark = r.at
            operand = r.u()
            r.at = mark
        skip_operands(r, op)
        yield start, r.at, op, operand


def sections(module):
    r = Reader(module, 8)
    while r.at < len(module):
        kind = r.byte()
        yield kind, r.take(r.u())


def zero(kind):
    return {0x7F: b"\x41\0", 0x7E: b"\x42\0", 0x7D: b"\x43\0\0\0\0", 0x7C: b"\x44" + bytes(8)}[kind]


def main(source, target):
    module = open(source, "rb").read()
    parts = list(sections(module))
    types, funcs, imported, names, globals_, thrown, bodies = [], [], 0, {}, [], None, []
    for kind, content in parts:
        r = Reader(content)
        if kind == 1:
            for _ in range(r.u()):
                assert r.byte() == 0x60
                params = r.take(r.u())
                types.append((params, r.take(r.u())))
        elif kind == 2:
            for _ in range(r.u()):
                r.name(), r.name()
                what = r.byte()
                assert what == 0, "only functions are imported"
                funcs.append(r.u())
                imported += 1
        elif kind == 3:
            funcs += [r.u() for _ in range(r.u())]
        elif kind == 6:
            for _ in range(r.u()):
                r.take(2)
                assert r.byte() == 0x41
                globals_.append(r.u())
                assert r.byte() == 0x0B
        elif kind == 7:
            for _ in range(r.u()):
                name, what, index = r.name(), r.byte(), r.u()
                if name == "__THREW__":
                    thrown = index
        elif kind == 10:
            bodies = [r.take(r.u()) for _ in range(r.u())]
        elif kind == 0 and r.name() == "name":
            while r.at < len(content):
                sub, part = r.byte(), Reader(r.take(r.u()))
                if sub == 1:
                    for _ in range(part.u()):
                        index = part.u()
                        names[part.name()] = index
    address = globals_[thrown]
    throw = names["emscripten_longjmp"]
    number = lambda name: names.get(name, -1)
    helpers = {number(n) for n in ("__wasm_setjmp", "__wasm_setjmp_test", "setTempRet0", "getTempRet0")}
    invokes = {index for name, index in names.items() if name.startswith("invoke_")}
    calls = {}
    for i, body in enumerate(bodies):
        found = set()
        for _, _, op, operand in instructions(body):
            if op == 0x10:
                found.add(operand)
            elif op == 0x11:
                found.add("indirect")
        calls[imported + i] = found
    throwing = {throw, "indirect"} | invokes
    catching = {f for f, found in calls.items() if number("__wasm_setjmp") in found}
    grown = True
    while grown:
        more = {f for f, found in calls.items() if f not in throwing and found & throwing}
        grown = bool(more)
        throwing |= more
    check = b"\x41" + sleb(address) + b"\x28\x02\0\x04\x40"
    out, inserted = [], 0
    for i, body in enumerate(bodies):
        index = imported + i
        results = types[funcs[index]][1]
        leave = b"".join(map(zero, results)) + b"\x0f\x0b"
        new = bytearray()
        for start, end, op, operand in instructions(body):
            new += body[start:end]
            if op not in (0x10, 0x11) or index in invokes or index in helpers:
                continue
            callee = "indirect" if op == 0x11 else operand
            if callee not in throwing or callee in invokes and index in catching:
                continue
            new += check + leave
            inserted += 1
        out.append(bytes(new))
    result = bytearray(module[:8])
    for kind, content in parts:
        if kind == 10:
            content = leb(len(out)) + b"".join(leb(len(body)) + body for body in out)
        if kind == 0:
            continue
        result += bytes([kind]) + leb(len(content)) + content
    open(target, "wb").write(result)
    print(f"{inserted} checks in {len(out)} functions, {len(catching)} of which catch", file=sys.stderr)


main(sys.argv[1], sys.argv[2])
