-- The mathematical library, numbers and bits.
print(math.floor(1.5), math.floor(-1.5), math.ceil(1.5), math.ceil(-1.5), math.abs(-5), math.max(1, 5, 3), math.min(1, 5, 3), math.sqrt(16), math.pow(2, 10), math.fmod(7, 3), math.fmod(-7, 3), math.mod(7, 3))
print(math.huge, -math.huge, math.pi, math.exp(1), math.log(10), math.log10(1000), math.sin(1), math.cos(1), math.tan(1), math.asin(1), math.acos(1), math.atan(1), math.atan2(1, 2), math.sinh(1), math.cosh(1), math.tanh(1), math.deg(1), math.rad(180))
print(math.frexp(8), math.frexp(0), math.frexp(0.1), math.frexp(-5), math.ldexp(0.5, 4), math.modf(3.7), math.modf(-3.7), math.modf(5), math.modf(1/0), math.ldexp(1, -1074), math.frexp(5e-324))
print(pcall(math.max), pcall(math.min, "x"), math.max("5", 3), math.floor("3.7"), math.fmod(5, 0) ~= math.fmod(5, 0))
for _, v in ipairs({1e21, 1e14, 123456789.125, 1e-7, 2^53 + 1, 1e5, 12345.678, -1e14, 99999999999999.5, 0.5e-3, 1e-4, 123456789012, 1.5e300, 4.9e-324, 100, 1e2, 17/19}) do print(v, tostring(v), v .. "") end
print(5 % math.huge, -5 % math.huge, 5 % -math.huge, 1 % 0, 0 / 0 == 0 / 0, 2^1023 * 2, 10 % 3.5, -10 % 3.5, 5.3 % 1, 1e15 % 7)
print(1e15 + 0.5, 0x7fffffff, 0xffffffff + 1, 08, 1e+2, 1E2, 0xA, 0Xa, 3 .. "", -3 .. "", 1.0 .. "")
print(tonumber("1e"), tonumber("1e+"), tonumber(".5"), tonumber("5."), tonumber("."), tonumber("+5"), tonumber("- 5"), tonumber("--5"), tonumber("0x1p4"), tonumber("nan") ~= nil, tonumber("1 2"), tonumber("1\0"), tonumber("1_0"), tonumber("\t5\n"))
print(tonumber("1", 2), tonumber("2", 2), tonumber("zz", 36), tonumber("7fffffff", 16), tonumber("ffffffffffffffff", 16), tonumber("1ffffffffffffffff", 16), tonumber(" 11 ", 2), tonumber("1.5", 16), tonumber("-1", 10), tonumber(15, 16), tonumber("0x1f", 16), tonumber("1e1", 16))
print((function() local T = {} local a = T[0] return - 0 end)(), (function() local T = {} T[0] = - 0 return T[0] end)(), (function() local T = {} local a = T[-0] return 0 end)())
print((function() local T = {} local a = T[-4 * 0] local b = 0 return b end)(), (function() local T = {[0] = 1} return -0 end)(), (function() local T = {[-0] = 1} return 0 end)())
print((function() local T = {} T.x = T[0] == nil return -0 end)(), (function() local T = {} T[1], T[0] = 1, -0 return T[0] end)(), (function() local a = {} return a[-0] or 0 end)())
print((function() local a = 1 if a == 0 then return 1 end return -0 end)(), (function() local a = 1 if 0 < a then return -0 end end)(), (function() local T = {} T[0] = T[-0] return 0 end)())
