local out = {}
local function show(v) if type(v) == "string" then return (v:gsub("[^%w%p ]", function(c) return string.format("\\%03d", c:byte()) end)) end return type(v) == "table" and "table" or tostring(v) end
local function print(...) local line = {} for i = 1, select("#", ...) do line[i] = show((select(i, ...))) end out[#out + 1] = table.concat(line, "  ") end
local function compile(source, name) local f, e = loadstring(source, name) print(f and "ok" or e) end
compile("a = [[ [[ ]] ]]", "=c") compile("a = [[ [[ ]]", "=c") compile("a = [=[ [=[ ]=] ]=]", "=c")
compile("x = '\\\"' 'a\\65\\n'", "=c") compile("x = 1 'a\\0b'", "=c") compile("x = 1 [=[\na]]\n]=]", "=c") compile("x = 'a\\0b", "=c")
compile("x = \0", "=c") compile("x \0= 1", "=c") compile("x = {\0", "=c") compile("x = 1 \1", "=c")
compile("x = = " .. ("y"):rep(90)) compile(("y"):rep(90), "=" .. ("n"):rep(90)) compile(("y"):rep(90), "@" .. ("f"):rep(90))
print(pcall(loadstring("error('e')", "=" .. ("n"):rep(90)))) print(pcall(loadstring("error('e')", "@" .. ("f"):rep(90)))) print(pcall(loadstring("error('" .. ("e"):rep(90) .. "')")))
print(xpcall(error, function() return 1, 2, 3 end)) print(xpcall(error, function() end)) print(xpcall(function() return 1, 2 end, error))
print(pcall(error, {})) print(pcall(error, {err = "text"})) print(pcall(error, {err = 5})) print(pcall(error, {err = {}})) print(pcall(error, {err = false}))
print(pcall(error, setmetatable({}, {__index = function(t, k) return k .. "?" end}))) print(pcall(error, nil)) print(pcall(error))
print(pcall(function() return (string.gsub("x", "(", {})) end)) print(pcall(function() return (string.gsub("x", "(", "%1")) end)) print(pcall(string.gsub, "x", "(", {}))
print(struct.unpack("i9", "hello world")) print(struct.unpack("<i12i8i3", ("\129"):rep(23))) print(struct.unpack(">i16", ("\200"):rep(16)))
print(string.find("a\0%a", "\0%a")) print(string.find("key", "\0%a+")) print(string.find("a.b", ".\0")) print(string.match("key", "\0%a+"))
return table.concat(out, "\n")
