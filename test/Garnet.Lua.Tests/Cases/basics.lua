-- Values, operators, control structures.
print(1, -1, 1.5, 1e15, 1e14, 123456789012345, 1e100, -1e-10, 0.1, 1/3, 100000000000000)
print(1/0, -1/0, 0/0 ~= 0/0, 2^53, 2^0.5, 7 % 3, -7 % 3, 7 % -3, 5.5 % 2, -0.0)
print(0x10, 0xff, 1e2, .5, 3., 3e-2, "10" + 5, "0x10" * 2, " 5 " + 1, 10 .. 20)
print(#"abc", #{1, 2, 3}, not nil, not 0, -"2", - -2)
print(1 < 2, 1 <= 1, "a" < "b", "a" < "B", "" < "a", "a\0b" < "a\0c", 1 == 1.0, "1" == 1)
print(nil and 1, false or 2, nil or false, 1 and 2, false and nil, 1 or error("not reached"))
print(2^3^2, -2^2, (2^3)^2, 1 .. 2 .. 3, "a" .. "b" == "ab", not 1 == 2)
local a, b, c = 1, 2
print(a, b, c)
a, b = b, a
print(a, b)
local t = {1, 2, 3, x = 1, ["y z"] = 2, [10] = 10; 4}
print(t[1], t[4], t.x, t["y z"], t[10], t[11], #t)
local i = 1
i, t[i] = i + 1, 20
print(i, t[1], t[2])
for i = 1, 3 do io = i print(i) end
for i = 3, 1, -1 do print(i) end
for i = 1, 0 do print("never") end
for i = 1, 2, 0.5 do print(i) end
for i = "1", "2" do print(i) end
local n = 0
while true do n = n + 1 if n > 5 then break end end
print(n)
repeat local z = n n = n - 1 until z < 3
print(n)
do local n = 5 print(n) end
print(n)
local function f(...) return select("#", ...), ... end
print(f())
print(f(nil, nil))
print((f(1, 2, 3)))
print(#{f(1, 2)}, #{f(1, 2), f(1, 2)}, #{(f(1, 2))})
local function g(a, b, ...) local x, y = ... return a, b, x, y end
print(g(1)) print(g(1, 2, 3)) print(g(1, 2, 3, 4, 5))
local function h(...) return arg end
print(type(h(1)))
function k(a, ...) return arg.n, arg[1], arg[2] end
print(k(1), k(1, 2), k(1, 2, 3))
goto_ = 1
print(type(nil), type(1), type("x"), type({}), type(print), type(true), type(coroutine.create(function() end)))
print(tostring(nil), tostring(true), tostring(12), tostring("x"))
local s = 0
for _, v in ipairs({1, 2, nil, 4}) do s = s + v end
print(s)
local keys = {}
for k, v in pairs({10, 20, 30}) do keys[#keys + 1] = k .. "=" .. v end
print(table.concat(keys, ","))
local mt = setmetatable({}, {__index = function(t, k) return k .. "!" end})
print(mt.foo, mt[1])
print(("x"):rep(3), ("%d"):format(5), #("abc"):upper())
local q = {} q.a = {} q.a.b = {c = 5} print(q.a.b.c, q["a"]["b"]["c"])
function q.a.f(x) return x * 2 end function q.a:m(x) return self.b.c + x end
print(q.a.f(4), q.a:m(4))
print((function(...) return ... end)(1, 2, 3))
print(select(2, "a", "b", "c"), select(-1, "a", "b"), (select("#")))
print(tonumber("10"), tonumber("0x1F"), tonumber("  12  "), tonumber("12a"), tonumber(""), tonumber("1e1"), tonumber("z", 36), tonumber("ff", 16), tonumber("8", 8), tonumber("1.5e+2"), tonumber("inf"), tonumber("0x"))
print(tonumber("777", 8), tonumber("1010", 2), tonumber(true), tonumber({}))
print(rawequal(t, t), rawequal({}, {}), rawget(t, 1), next({}), next({5}))
print(unpack({1, 2, 3})) print(unpack({1, 2, 3}, 2)) print(unpack({1, 2, 3}, 2, 3)) print(unpack({}, 1, 3))
print([[long
string]], [==[with ]] inside]==], "esc\65\066\n\t\\\"\'", 'a\
b')
-- [[ comment ]] still a comment
--[[ long
comment ]] print("after")
--[==[ x ]] ]==] print("after2")
