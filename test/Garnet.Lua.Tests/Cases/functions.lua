-- Closures, variable arguments, tail calls, coroutines, metatables.
local function counter() local n = 0 return function() n = n + 1 return n end, function() return n end end
local inc, get = counter() inc() inc() print(get()) local inc2, get2 = counter() inc2() print(get(), get2())
local fs = {} for i = 1, 3 do fs[i] = function() i = i + 1 return i end end print(fs[1](), fs[1](), fs[2](), fs[3]())
local gs = {} for k, v in ipairs({"a", "b"}) do gs[k] = function() return k .. v end end print(gs[1](), gs[2]())
local hs = {} local j = 0 while j < 3 do j = j + 1 local x = j hs[j] = function() x = x + 10 return x end end print(hs[1](), hs[1](), hs[2](), hs[3]())
local rs = {} local r = 0 repeat r = r + 1 local y = r rs[r] = function() return y end until y >= 3 print(rs[1](), rs[2](), rs[3]())
local function fact(n) if n <= 1 then return 1 end return n * fact(n - 1) end print(fact(10))
local function loop(n, acc) if n == 0 then return acc end return loop(n - 1, acc + 1) end print(loop(100000, 0))
local function va(...) local a, b = ... local t = {...} return #t, a, b, select("#", ...), (...) end print(va()) print(va(1, nil, 3)) print((va(1, 2)))
local function pass(...) return ... end print(pass(1, 2, 3), pass(4, 5)) print((pass(1, 2, 3))) print(pass(pass(1, 2), pass(3, 4)))
local function up3() local a = 1 return function() return function() a = a + 1 return a end end end local u = up3()() print(u(), u())
local a = 1 local function seta(v) a = v end seta(5) print(a) do local a = 2 seta(6) print(a) end print(a)
local function order() local x = 1 local function set() x = 10 return 1 end return x + set(), x end print(order())
local function order2() local x = {v = 1} local function set() x = {v = 2} return "v" end return x[set()] end print(order2())
local function order3() local x = "a" local function set() x = "b" return "c" end return x .. set(), x end print(order3())
local function rec(n) return n == 0 and 0 or 1 + rec(n - 1) end print(rec(10000)) print(pcall(function() local function inf(n) return 1 + inf(n + 1) end return inf(1) end))
local depth = 0 local function deep() depth = depth + 1 deep() end print(pcall(deep)) print(depth > 16000)
local mt = {} mt.__add = function(a, b) return "add" end mt.__sub = function() return "sub" end mt.__mul = function() return "mul" end mt.__div = function() return "div" end mt.__mod = function() return "mod" end mt.__pow = function() return "pow" end mt.__unm = function() return "unm" end mt.__concat = function(a, b) return "cat" end mt.__len = function() return 99 end mt.__eq = function() return true end mt.__lt = function() return true end mt.__le = function() return false end mt.__call = function(self, ...) return "call", ... end mt.__tostring = function() return "TOSTRING" end
local o = setmetatable({}, mt) local p = setmetatable({}, mt)
print(o + 1, 1 + o, o - 1, o * 1, o / 1, o % 1, o ^ 1, -o, o .. "x", "x" .. o, 1 .. o, #o, o == p, o ~= p, o < p, o <= p, o > p, o >= p, o(1, 2), tostring(o)) print(o == 1, o == {}, rawequal(o, p))
print("a" .. "b" .. o .. "c", o .. o, pcall(function() return o < 1 end))
local lt = setmetatable({}, {__lt = function(a, b) return "truthy" end}) local lt2 = setmetatable({}, getmetatable(lt)) print(lt < lt2, lt <= lt2, lt > lt2, pcall(function() return lt < {} end))
local idx = setmetatable({}, {__index = {x = 1}, __newindex = function(t, k, v) rawset(t, k, v * 2) end}) idx.y = 5 print(idx.x, idx.y, idx.z, rawget(idx, "x")) idx.y = 7 print(idx.y)
local proxy = {} local target = {} setmetatable(proxy, {__index = target, __newindex = target}) proxy.a = 1 print(rawget(proxy, "a"), target.a, proxy.a)
local chain = setmetatable({}, {__index = setmetatable({b = 2}, {__index = {c = 3}})}) print(chain.b, chain.c, chain.d)
print(getmetatable("x").__index == string, getmetatable(setmetatable({}, {__metatable = "locked"})), pcall(setmetatable, setmetatable({}, {__metatable = 1}), {}))
print(getmetatable({}), getmetatable(1), getmetatable(print), tostring(setmetatable({}, {__tostring = function() return "x" end})), type(tostring(setmetatable({}, {__tostring = function() return {} end}))))
local callable = setmetatable({}, {__call = function(self, a, b) return a, b, self ~= nil end}) print(callable(1, 2)) print(pcall(callable, 3)) print((function() return callable(9) end)())
for a, b in setmetatable({}, {__call = function(self, s, c) c = (c or 0) + 1 if c < 3 then return c, s end end}), "state" do print(a, b) end
-- coroutines
local co = coroutine.create(function(a, b) print("start", a, b) local c = coroutine.yield(a + b) print("got", c) local d, e = coroutine.yield(c * 2) print("got", d, e) return "done", 99 end)
print(coroutine.status(co)) print(coroutine.resume(co, 1, 2)) print(coroutine.status(co)) print(coroutine.resume(co, 10)) print(coroutine.resume(co, "x", "y")) print(coroutine.status(co)) print(coroutine.resume(co))
local gen = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) print(gen(), gen(), gen(), gen()) print(pcall(gen))
local function iter(n) return coroutine.wrap(function() for i = 1, n do coroutine.yield(i, i * i) end end) end for a, b in iter(3) do print(a, b) end
local err = coroutine.create(function() error("oops") end) print(coroutine.resume(err)) print(coroutine.status(err)) print(coroutine.resume(err))
local er2 = coroutine.create(function() local x = nil; return x.y end) print(coroutine.resume(er2)) local er3 = coroutine.create(function() error({code = 5}) end) local ok, e = coroutine.resume(er3) print(ok, type(e), e.code)
local outer outer = coroutine.create(function() local inner = coroutine.create(function() print(coroutine.status(outer)) coroutine.yield("inner") end) print(coroutine.resume(inner)) coroutine.yield("outer") print(coroutine.resume(inner)) end) print(coroutine.resume(outer)) print(coroutine.resume(outer)) print(coroutine.status(outer))
print(coroutine.resume(coroutine.create(function() return pcall(coroutine.yield, 1) end))) print(coroutine.resume(coroutine.create(function() table.sort({1, 2, 3}, function() coroutine.yield() end) end))) print(coroutine.resume(coroutine.create(function() local t = setmetatable({}, {__index = function() coroutine.yield() end}) return t.x end)))
print(coroutine.running(), coroutine.resume(coroutine.create(function() return type(coroutine.running()) end))) local self self = coroutine.create(function() return coroutine.resume(self) end) print(coroutine.resume(self)) print(coroutine.resume(coroutine.create(function(...) return select("#", ...) end), nil, nil))
local yt = coroutine.wrap(function() return coroutine.yield(1) end) print(yt()) print(yt(2, 3)) local prod = coroutine.wrap(function() local x = 1 while true do x = x * 2 local r = coroutine.yield(x) if r then x = r end end end) print(prod(), prod(), prod(10), prod())
local function yielder() coroutine.yield(1) coroutine.yield(2) return 3 end local cw = coroutine.wrap(function() local function nest(n) if n == 0 then return yielder() end return (nest(n - 1)) end return nest(50) end) print(cw(), cw(), cw())
local cc = coroutine.create(function() local function f(n) if n == 0 then coroutine.yield("deep") return 0 end return 1 + f(n - 1) end return f(1000) end) print(coroutine.resume(cc)) print(coroutine.resume(cc))
print(pcall(function() local function nest(n) local ok, e = pcall(nest, n + 1) return ok and e or n end return nest(1) > 150 end)) 
print(pcall(string.gsub, "x", "x", function() error("in gsub") end)) print(pcall(string.gsub, "x", "x", function() error("in gsub", 2) end)) print(pcall(table.foreach, {1}, function() error("each") end))
print(select(2, pcall(function() local t = setmetatable({}, {__index = function(t, k) return t[k] end}) return t.x end)):sub(-40)) local loopt = {} setmetatable(loopt, {__index = loopt}) print(pcall(function() return loopt.x end))

-- The iterator's call counts as one that is nested, so the loop fails before pcall does.
do
  local failure
  local function nest()
    for _ in ipairs({1}) do end
    local ok, text = pcall(nest)
    if not ok and not failure then failure = text print(text) end
  end
  nest()
end
