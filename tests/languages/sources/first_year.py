# judge: game=mahjong
# Small programs of a first year, each with its name. What they print in CPython stands in
# first_year.txt; tests/languages/scripts.rs compares.
from __future__ import annotations

import abc, bisect, collections, copy; import functools, heapq, itertools
import math, random, string, time
from typing import (  # a comment (with brackets)
    Generic,
)

import judge_host

PROGRAMS = [
    ('slices with steps', "t=(1,2,3,4)\nprint('abc'[::-1], 'äöü'[::2], t[::2], t[::-1], b'abcd'[1::2], ''[::-1], 'abcde'[3:0:-1])"),
    ('dict of dicts', "from collections import Counter, defaultdict, OrderedDict\nd=defaultdict(int); d['a']+=1\nprint(dict(d), sorted(dict(Counter('aab')).items()), dict(OrderedDict(b=2)), dict([('c', 3)], e=4)['e'])\nm={'a': 9}; m.update(d); print(m)"),
    ('genexp', "print(sum(x*x for x in range(5)), any(x > 3 for x in range(5)), list(x for x in 'abc'))"),
    ('genexp var', 'g = (x for x in range(3))\nprint(next(g), list(g))'),
    ('nested comp', 'print([a*b for a in range(3) for b in range(3) if a != b])'),
    ('set comp', 'print(sorted({x % 3 for x in range(10)}))'),
    ('set ops', 'a={1,2,3}; b={2,3,4}\nprint(sorted(a & b), sorted(a | b), sorted(a - b), sorted(a ^ b), 1 in a, len(a), a <= b)'),
    ('set methods', 'a=set(); a.add(1); a.discard(2); a.update([3,4]); print(sorted(a)); a.remove(3); print(sorted(a))'),
    ('frozenset', 'print(len(frozenset([1,2,2])), {frozenset([1]): 2}[frozenset([1])])'),
    ('try else finally', "try:\n  x=1\nexcept ValueError:\n  print('no')\nelse:\n  print('else')\nfinally:\n  print('fin')"),
    ('except tuple as', "try:\n  int('x')\nexcept (TypeError, ValueError) as e:\n  print(type(e).__name__)"),
    ('custom exc', "class E(Exception):\n  pass\ntry:\n  raise E('hi')\nexcept E as e:\n  print(str(e))"),
    ('raise from', "try:\n  try:\n    1/0\n  except ZeroDivisionError as e:\n    raise ValueError('x') from e\nexcept ValueError as v:\n  print(v)"),
    ('for else', "for i in range(3):\n  if i == 5: break\nelse:\n  print('done')"),
    ('while else', "i=0\nwhile i<2:\n  i+=1\nelse:\n  print('w')"),
    ('with', "class C:\n  def __enter__(self): print('in'); return 1\n  def __exit__(self, *a): print('out')\nwith C() as c:\n  print(c)"),
    ('fstring nested', 'd={\'a\':1}\nprint(f"{d[\'a\']} {\'yes\' if True else \'no\'}")'),
    ('format', "print('{} {:>4} {a}'.format(1, 2, a=3), '%d %s %.2f' % (1, 'a', 2.5))"),
    ('lambda sort', "print(sorted([(1,'b'),(0,'c')], key=lambda p: p[1], reverse=True), max([3,1,2], key=lambda v: -v), min(5,3))"),
    ('sort stable', 'a=[3,1,2]; a.sort(); print(a); a.sort(key=lambda x:-x); print(a)'),
    ('unpack', 'a, *b = [1,2,3]; print(a, b); (c, d), e = (1,2),3; print(c,d,e); a, b = b, a; print(a,b)'),
    ('call unpack', "def f(*a, **k): return a, sorted(k.items())\nprint(f(*[1,2], **{'x':3}), f(1, y=2))"),
    ('kwonly', 'def f(a, *, b=2): return a+b\nprint(f(1), f(1, b=5))'),
    ('defaults', 'def f(a, b=2, c=3): return a,b,c\nprint(f(1, c=9))'),
    ('slices', "a=list(range(10)); print(a[2:5], a[::-1], a[-3:], a[::2], 'hello'[1:3]); a[1:3]=[7]; print(a); del a[0]; print(a)"),
    ('bigint', 'print(2**100, 123456789012345678901234567890 % 97, 10**20)'),
    ('int ops', "print(7//2, -7//2, 7%3, -7%3, divmod(7,2), 2**10, 2**-1, 1<<40, 5&3, 5|3, 5^3, ~5, int('ff',16), bin(5), hex(255), oct(8))"),
    ('chained', 'x=5\nprint(1 < x < 10, 1 < x > 3)'),
    ('ternary', "print('a' if 1 else 'b', not True, None is None, 1 in [1], 'x' not in 'abc')"),
    ('dict methods', "d={'a':1}; print(d.get('b',0), d.setdefault('c',3), d.pop('a'), list(d.items()), list(d.keys()), list(d.values()), 'c' in d); d.update({'z':1}); del d['z']; print(d, len(d))"),
    ('list methods', 'a=[1]; a.append(2); a.extend([3]); a.insert(0,0); a.pop(); a.remove(1); print(a, a.index(2), a.count(2)); a.reverse(); a.clear(); print(a, [0]*3, [1]+[2])'),
    ('enumerate zip', "print(list(enumerate('ab', 1)), list(zip([1,2],[3,4])), list(map(str,[1,2])), list(filter(None,[0,1])), list(reversed([1,2])), all([1,0]), any([0,1]), sum([1,2],3), abs(-2))"),
    ('generator', 'def g():\n  yield 1\n  yield from [2,3]\n  return\nprint(list(g()))'),
    ('generator send', "def g():\n  x = yield 1\n  print(x)\n  yield 2\nh=g(); next(h); print(h.send('a'))"),
    ('class', "class A:\n  n=0\n  def __init__(self,x): self.x=x\n  def __repr__(self): return f'A({self.x})'\n  def __eq__(self,o): return self.x==o.x\n  def __lt__(self,o): return self.x<o.x\n  def __hash__(self): return hash(self.x)\n  def __add__(self,o): return A(self.x+o.x)\n  def __len__(self): return 3\n  def __getitem__(self,i): return i\n  def __contains__(self,i): return True\n  def __call__(self): return 'c'\n  def __bool__(self): return False\na=A(1); print(a, a==A(1), sorted([A(2),A(1)]), {a:1}[A(1)], a+a, len(a), a[5], 9 in a, a(), bool(a), isinstance(a,A))"),
    ('inherit', "class A:\n  def f(self): return 'A'\nclass B(A):\n  def f(self): return super().f()+'B'\nprint(B().f(), issubclass(B,A), B.__name__)"),
    ('multi inherit', "class A:\n  def f(self): return 'A'\nclass M:\n  def g(self): return 'M'\nclass B(A, M):\n  pass\nprint(B().f(), B().g())"),
    ('property static class', 'class A:\n  @property\n  def p(self): return 1\n  @staticmethod\n  def s(): return 2\n  @classmethod\n  def c(cls): return cls.__name__\nprint(A().p, A.s(), A.c())'),
    ('prop setter', 'class A:\n  def __init__(self): self._v=1\n  @property\n  def v(self): return self._v\n  @v.setter\n  def v(self, x): self._v=x\na=A(); a.v=5; print(a.v)'),
    ('slots iter', 'class A:\n  def __iter__(self):\n    yield 1\n    yield 2\nprint(list(A()), [x for x in A()])'),
    ('iter protocol', 'class A:\n  def __init__(self): self.n=0\n  def __iter__(self): return self\n  def __next__(self):\n    self.n+=1\n    if self.n>2: raise StopIteration\n    return self.n\nprint(list(A()))'),
    ('closure nonlocal', 'def f():\n  n=0\n  def g():\n    nonlocal n\n    n+=1\n    return n\n  return g\ng=f(); g(); print(g())'),
    ('decorator', 'def d(f):\n  def w(*a, **k):\n    return f(*a, **k)+1\n  return w\n@d\ndef f(x): return x\nprint(f(1))'),
    ('global', 'n=0\ndef f():\n  global n\n  n=5\nf(); print(n)'),
    ('type hints', "from typing import List, Dict, Optional, Tuple\nx: int = 3\ndef f(a: List[int], b: Optional[str] = None) -> Dict[str, int]:\n  y: 'int' = 1\n  return {}\nprint(f([1]), x)\ndef g(a: list[int], b: int | None) -> tuple[int, ...]: return (1,)\nprint(g([],None))"),
    ('walrus', 'if (n := 5) > 3: print(n)'),
    ('import paren comma', 'from math import (\n  sqrt,\n  floor,\n)\nprint(sqrt(4), floor(2.5))'),
    ('random', 'import random\nrandom.seed(1); x=random.randint(1,6); assert 1<=x<=6; a=[1,2,3]; random.shuffle(a); print(sorted(a), 0<=random.random()<1, random.choice([7]), len(random.sample([1,2,3],2)), random.randrange(1), random.uniform(1,1))'),
    ('collections', "from collections import deque, defaultdict, Counter, namedtuple, OrderedDict\nd=deque([1,2]); d.appendleft(0); d.append(3); print(list(d), d.popleft(), d.pop(), len(d)); q=defaultdict(list); q['a'].append(1); print(q['a'], q['b']); c=Counter('banana'); print(c['a'], c.most_common(1)); P=namedtuple('P','x y'); p=P(1,2); print(p.x, p[1], p)"),
    ('heapq', 'import heapq\nh=[]\nfor x in [3,1,2]: heapq.heappush(h,x)\nprint(heapq.heappop(h), h[0]); heapq.heapify(h); print(heapq.nlargest(1,[1,5]), heapq.nsmallest(2,[3,1,2]))'),
    ('functools', 'from functools import lru_cache, reduce, partial, cmp_to_key\n@lru_cache(maxsize=None)\ndef f(n): return n if n<2 else f(n-1)+f(n-2)\nprint(f(30), reduce(lambda a,b:a*b,[1,2,3]), partial(pow,2)(3), sorted([3,1],key=cmp_to_key(lambda a,b:a-b)))'),
    ('copy', 'import copy\na=[[1]]; b=copy.deepcopy(a); b[0].append(2); print(a, copy.copy(a)==a)'),
    ('string mod', 'import string\nprint(string.ascii_lowercase, string.digits)'),
    ('time', 'import time\nt=time.time(); print(time.perf_counter() >= 0)'),
    ('bisect', 'import bisect\na=[1,3]; print(bisect.bisect(a,2), bisect.bisect_left(a,3)); bisect.insort(a,2); print(a)'),
    ('abc', 'from abc import ABC, abstractmethod\nclass A(ABC):\n  @abstractmethod\n  def f(self): pass\nclass B(A):\n  def f(self): return 1\nprint(B().f())'),
    ('bytes', "b=bytearray(3); b[0]=5; print(list(b), bytes([1,2])[1], b'abc'[0])"),
    ('print opts', "print(1,2,sep='-',end='!\\n')"),
    ('assert', "try:\n  assert 1==2, 'msg'\nexcept AssertionError as e:\n  print(e)"),
    ('del attr', "class A: pass\na=A(); a.x=1; print(hasattr(a,'x'), getattr(a,'y',3)); delattr(a,'x'); setattr(a,'q',1); print(hasattr(a,'x'), a.q, a.__dict__)"),
    ('nested func rec', 'def f(n):\n  return 1 if n==0 else n*f(n-1)\nprint(f(15))'),
    ('recursion', 'def f(n):\n  return 0 if n==0 else 1+f(n-1)\nprint(f(400))'),
    ('multi assign', 'a=b=3; a+=1; print(a,b); x=y=[]; x.append(1); print(y)'),
    ('semicolon pass', 'if True: pass\nx=1; y=2; print(x+y)'),
    ('tuple cmp', 'print((1,2)<(1,3), [1,2]==[1,2], (1,)+(2,), (1,2)*2, 3 in (1,2,3), tuple([1]), hash((1,2))==hash((1,2)))'),
    ('str cmp iter', "print('a'<'b', [c for c in 'ab'], 'a'+str(1), str([1,'a',None,1.5]), repr('a\\'b'), str({'a':(1,)}))"),
    ('int conv', "print(int(3.9), int('-5'), float('1.5'), str(2), bool([]), list((1,2)), int(True), round(-1.5), complex)"),
    ('exceptions names', "for f in (lambda: [][1], lambda: {}['a'], lambda: None.x, lambda: 1+'a', lambda: int('q'), lambda: undefined):\n  try: f()\n  except Exception as e: print(type(e).__name__)"),
    ('isinstance tuple', "print(isinstance(1,(int,str)), type(1) is int, type('a')==str, callable(len))"),
    ('star in index', 'd={}; d[1,2]=3; print(d[(1,2)])'),
    ('global list mut', 'L=[[0]*3 for _ in range(2)]\nL[0][1]=5\nprint(L, L[1][1:])'),
    ('sum gen nested', "g=[[1,2],[3,4]]\nprint(sum(sum(r) for r in g), max(max(r) for r in g), ','.join(str(x) for r in g for x in r))"),
    ('str format spec', "print(f'{5:03d}|{5:>3}|{5:<3}|{5:^3}|{1234567:,}|{0.5:%}|{255:x}|{3:b}|{2.0:g}|{1e10:e}')"),
    ('print float list', 'print([0.1, 2.0, 1e-7], (1.5,))'),
    ('multiline str', "s = '''a\nb'''\nprint(s, len(s), r'\\n', 'a' 'b')"),
    ('line cont', 'x = 1 + \\\n  2\ny = (1 +\n  2)\nprint(x, y)'),
    ('lambda default', 'f=[lambda i=i: i for i in range(3)]\nprint([g() for g in f])'),
    ('global keyword iter', "it=iter([1,2]); print(next(it), next(it), next(it,'end'))"),
    ('zip star', 'print(list(zip(*[[1,2],[3,4]])), [list(r) for r in zip([1],[2])])'),
    ('fstring', "x=3.14159; n='a'\nprint(f'{x:.2f} {n:>5} {1+1}')"),
    ('floats', "print(0.5+0.25, 1e100, 1.0, -0.0, 1e16, 123456.789, float('inf'), round(2.567,2), round(2.5), 1e-5)"),
    ('string methods', "print('a,b'.split(','), ' x '.strip(), 'abc'.upper(), 'a'.join(['x','y']), 'abc'.replace('b','z'), 'abc'.find('c'), 'a b  c'.split(), 'x'*3, 'banana'.count('a'), '5'.isdigit(), ord('a'), chr(98), 'a-b-c'.rsplit('-',1), 'x'.center(5), 'abc'.partition('b'))"),
    ('math', 'import math\nprint(math.sqrt(4), math.floor(2.7), math.ceil(2.1), math.gcd(12,18), math.inf, math.hypot(3,4), math.factorial(5), math.isclose(1,1.0), math.log2(8), math.prod([2,3]), math.comb(5,2))'),
    ('itertools', "from itertools import product, permutations, combinations, chain, count, islice, accumulate, groupby, zip_longest\nprint(list(product('ab',[1])), list(permutations([1,2,3],2)), list(combinations([1,2,3],2)), list(chain([1],[2])), list(islice(count(1),2)), list(islice('abcdef',1,None,2)), list(accumulate([1,2,3])), [(k,list(g)) for k,g in groupby('aab')], list(zip_longest('ab','c')))"),
    ('containers copied', "import collections, copy\nd=collections.defaultdict(int); d['a'] += 2; e=copy.deepcopy(d); print(copy.copy(d)['z'], e['y'], sorted(d))\nq=collections.deque(); q.rotate(1); q.append(1); r=copy.copy(q); r.append(2); print(len(q), list(r))"),
    ('counter less', "from collections import Counter\nc=Counter('aab'); c.subtract(Counter('ab')); print(sorted(c.items()))"),
    ('chain flat', 'from itertools import chain\nprint(list(chain.from_iterable([[1],[2,3]])), next(chain([7])))'),
    ('generic', "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass Box(Generic[T]):\n  def __init__(self, x): self.x = x\nprint(Box(3).x)"),
    ('sort is stable', "L=[(i*7%5, i) for i in range(40)]; L.sort(key=lambda p: p[0]); print([p[1] for p in L])\nprint(sorted(range(40), key=lambda i: i*7%5, reverse=True), sorted('bAcaB', key=str.lower), sorted([3,1,2], reverse=True))"),
    ('sort calls key once', "calls=[]\nprint(sorted(range(20, 0, -1), key=lambda i: calls.append(i) or i % 10), len(calls))"),
    ('sort by classes', "class C:\n  def __init__(self, n): self.n = n\n  def __lt__(self, other): return self.n < other.n\nprint([c.n for c in sorted([C(n * 5 % 7) for n in range(12)])], sorted([]), sorted([1]))"),
    ('sort of a list that grows', "L=[3,1,2]\ntry:\n  L.sort(key=lambda x: L.append(0) or x)\nexcept ValueError as e:\n  print('ValueError')\ntry:\n  [1,'a',2].sort()\nexcept TypeError as e:\n  print('TypeError')"),
    ('sort many', "x=1; L=[]\nfor i in range(3000):\n  x = x*1103515245+12345 & 0x7fffffff; L.append((x >> 8) % 1000)\nM=sorted(L, key=lambda v: [str(v), v]); print(all(str(a)<=str(b) for a,b in zip(M,M[1:])), sum(M)==sum(L), L[:3], M[-2:])"),
    ('recursion deep', "def f(n):\n  return 0 if n==0 else 1+f(n-1)\nprint(f(900))\ntry:\n  f(5000)\nexcept RecursionError as e:\n  print(type(e).__name__, isinstance(e, RuntimeError))\nprint(f(900))"),
]


def run_all():
    for name, text in PROGRAMS:
        print("#", name)
        try:
            exec(text, {"__name__": "program"})
        except Exception as error:
            print("raised", type(error).__name__, error)


def line(text):
    if text.startswith("game "):
        run_all()


judge_host.connect(line)
