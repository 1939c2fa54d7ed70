local out = {}
local function show(v) if type(v) == "string" then return (v:gsub("[^%w%p ]", function(c) return string.format("\\%03d", c:byte()) end)) end return tostring(v) end
local function print(...) local line = {} for i = 1, select("#", ...) do line[i] = show((select(i, ...))) end out[#out + 1] = table.concat(line, "  ") end
local function try(f, ...) print(pcall(f, ...)) end
for _, v in ipairs({0, 1, -1, 255, 2^31, 2^32, 2^32 + 5, -2^31, 1.5, 2.5, -1.5, 1e15, 0x7fffffff, 0xdeadbeef, "10", 2^53}) do print(v, bit.tobit(v), bit.bnot(v), bit.bswap(v), bit.tohex(v), bit.tohex(v, 4), bit.tohex(v, -4), bit.tohex(v, 0), bit.tohex(v, 10), bit.lshift(v, 4), bit.rshift(v, 4), bit.arshift(v, 4), bit.rol(v, 4), bit.ror(v, 4), bit.lshift(v, 33), bit.band(v, 15), bit.bor(v, 16), bit.bxor(v, 255), bit.band(v, 255, 15, 3)) end
print(bit.tohex(65535, -2147483648), bit.tohex(-1, 2147483647)) try(bit.band) try(bit.band, "x") try(bit.bnot, {}) try(bit.lshift, 1) try(bit.tohex, nil)
return table.concat(out, "\n")
