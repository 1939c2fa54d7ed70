-- Messages of syntax errors.
local function try(s, name) local f, m = loadstring(s, name) print(f and "ok" or m) end
for _, s in ipairs({
  "x", "x =", "= 1", "x = = 1", "local", "local 1", "local x =", "if", "if x", "if x then", "if x then else", "while", "while x do",
  "for", "for i", "for i =", "for i = 1", "for i = 1, 2", "for i = 1, 2 do", "for i in", "for i, j", "for 1", "repeat", "repeat until",
  "function", "function f", "function f(", "function f()", "function f(a,)", "function f(...,a) end", "function f(1) end", "function f.1() end", "function f:x.y() end",
  "return 1 2", "return return", "break", "do break end", "x()y", "x y", "x.1", "x:", "x:y", "x:y =", "(x) = 1", "x() = 1", "x, y", "x, y()", "1 = x",
  "a = {", "a = {1", "a = {1,", "a = {[1]}", "a = {[1] =}", "a = {x = }", "a = (1", "a = 1 +", "a = 1 + * 2", "a = not", "a = #", "a = -",
  "a = 'x", "a = \"x", "a = [[x", "a = [==[x]]", "a = '\\300'", "a = 'x\ny'", "a = [=x", "a = 1..2", "a = 1.2.3", "a = 0x", "a = 0xg", "a = 1e", "a = 12abc", "a = 3e+", "--[[x", "a = @", "a = $x", "a = ~1", "a = !1", "a = x ? y", "a = '\\",
  "a = ...", "function f() return ... end", "end", "until x", "else", "then", "local function", "local function 1", "local function f", "f(", "f(1", "f(1,", "f(1,)", "f{", "f'", "goto x", "a.b:c = 1", "a.b.c", "a[1", "a[", "a[]", "a[1] ",
  "x = function", "x = function(", "x = function() ", "x = }", "x = )", "x = ]", "x = \1", "x = 'a' 'b'", "x = f 'a' 'b'", "if x then\n\n\nelse\n", "f(\n\n", "{", "}", "a = {{{{}}}", "for a.b = 1, 2 do end", "local a.b = 1", "f\n(1)", "local x; x\n(1)", "x = x\n(1)", "a = [[x]] [[y]]", "return", "return;", "return 1;", ";", ";;", "x = 1;; y = 2", "do end;", "local t = {1;2;3,}", "local t = {,}", "local t = {;}", "not x", "x = not not x", "-x", "'x':y()", "('x'):y()", "#x = 1", "::a::", "a = 5 // 2", "a = 1 & 2", "a = 1 << 2", "local x <const> = 1"
}) do try(s, "=c") end
try("x = ", "@file.lua") try("x = ", "=name") try("x = ", "source text") try("x = \n y = ", "source\ntext")
try("x = ")
try(("x = ("):rep(1) .. ("("):rep(250) .. "1" .. (")"):rep(250), "=c")
try("x = " .. ("{"):rep(250) .. ("}"):rep(250), "=c")
try(("do "):rep(250) .. ("end "):rep(250), "=c")
try("x = " .. ("-"):rep(1) .. ("not "):rep(250) .. "1", "=c")
try("x = " .. ("a .. "):rep(250) .. "a", "=c")
try("x = " .. ("a + "):rep(250) .. "a", "=c")
try("x = " .. ("a ^ "):rep(250) .. "a", "=c")
try("x = a" .. (".b"):rep(1000), "=c")
try("x = a" .. ("()"):rep(1000), "=c")
local names = {} for i = 1, 201 do names[i] = "v" .. i end
try("local " .. table.concat(names, ","), "=c")
try("function f() local " .. table.concat(names, ",") .. " end", "=c")
try("\n\nfunction f()\n" .. ("local x\n"):rep(201) .. " end", "=c")
local up = {} for i = 1, 61 do up[i] = "u" .. i end
try("local " .. table.concat(up, ",") .. "\nfunction f() return " .. table.concat(up, "+") .. " end", "=c")
try("function f(" .. table.concat(names, ",") .. ") end", "=c")
local many = {} for i = 1, 300 do many[i] = "f(" end
try("x = " .. table.concat(many) , "=c")
local args = {} for i = 1, 260 do args[i] = "a" end
print(loadstring("return " .. table.concat(args, "+")) ~= nil)
print(#loadstring("return {" .. table.concat(args, ",") .. "}")())
print(loadstring("return 'a\\\nb'")())
print(loadstring("return '\\x41'")())
print((select(2, loadstring("#!shebang\nreturn 1"))))
print(type(load(function() return nil end)))
local parts = {"return ", "1", " + ", "2", nil}
local pi = 0
print(load(function() pi = pi + 1 return parts[pi] end)())
print(pcall(load, 5))
for _, s in ipairs({"for i = 1, 5\0do q:push(i) end", "return 5\0+ 7", "return 5\0", "return 5 \0", "return 5e\0003", "return 5\0003", "return 3 .\0 4", "return ...\0", "return .\0.", "return .\0\0", "return 1 .\0. 2", "return ..\0", "return .\0005"}) do local f, e = loadstring(s, "=s") print(e, f and f(1)) end
