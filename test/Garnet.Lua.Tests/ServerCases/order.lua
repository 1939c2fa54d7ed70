local out = {}
local function show(v) if type(v) == "string" then return (v:gsub("[^%w%p ]", function(c) return string.format("\\%03d", c:byte()) end)) end return tostring(v) end
local function print(...) local line = {} for i = 1, select("#", ...) do line[i] = show((select(i, ...))) end out[#out + 1] = table.concat(line, "  ") end
local function try(f, ...) print(pcall(f, ...)) end
local function keys(t) local o = {} for k, v in pairs(t) do o[#o + 1] = tostring(k) .. "=" .. tostring(v) end print(table.concat(o, " ")) end
keys({a = 1, b = 2, c = 3}) keys({x = 1, y = 2, z = 3, w = 4, v = 5}) keys({one = 1, two = 2, three = 3, four = 4, five = 5, six = 6, seven = 7, eight = 8, nine = 9})
local t = {} for i = 1, 100 do t["field" .. i] = i end keys(t) for i = 1, 100, 2 do t["field" .. i] = nil end keys(t) for i = 200, 220 do t["other" .. i] = i end keys(t)
local m = {} for i = 1, 20 do m[i] = i m["s" .. i] = i m[i + 0.5] = i m[-i] = i end keys(m) keys({1, 2, 3, x = 1, [true] = 2, [false] = 3, [0] = 4, [1e10] = 5, [""] = 6, ["a longer key with more than thirty-two characters in it"] = 7})
local l = {} for i = 1, 40 do l[("k"):rep(i)] = i end keys(l) local d = cjson.decode('{"id":1,"name":"x","data":{"b":1,"a":2},"opts":[1,2],"timestamp":5,"delay":0,"priority":1}') keys({id = d.id, name = d.name}) local ks = {} for k in pairs(d) do ks[#ks + 1] = k end print(table.concat(ks, " "))
print(math.random() == math.random()) math.randomseed(42) print(math.random(), math.random(10), math.random(5, 15)) math.randomseed(0) print(math.random(1000000), math.random(1000000), math.random(1000000)) math.randomseed(-5) print(math.random(100), math.random(100)) math.randomseed(1e10) print(math.random(1000))
local names = {} for k in pairs(string) do names[#names + 1] = k end table.sort(names) print(table.concat(names, " ")) for _, lib in ipairs({"table", "math", "bit", "struct", "cjson", "cmsgpack", "os", "coroutine"}) do names = {} for k in pairs(_G[lib]) do if k:sub(1, 1) ~= "_" then names[#names + 1] = k end end table.sort(names) print(lib, table.concat(names, " ")) end
return table.concat(out, "\n")
