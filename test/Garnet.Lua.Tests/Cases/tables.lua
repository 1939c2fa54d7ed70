-- Tables and the table library.
local t = {}
for i = 1, 10 do t[i] = i * i end
print(#t, table.concat(t, ","), table.concat(t, ",", 3), table.concat(t, ",", 3, 5), table.concat({}), table.concat({1}, ","), table.concat({1, 2}, ",", 2, 1))
table.insert(t, 5) print(#t, t[11]) table.insert(t, 1, 0) print(t[1], t[2], #t) print(table.remove(t), #t) print(table.remove(t, 1), t[1], #t) print(table.remove({}), table.remove({}, 5))
table.insert(t, 20, "x") print(#t, t[20])
local s = {3, 1, 2} table.sort(s) print(unpack(s)) table.sort(s, function(a, b) return a > b end) print(unpack(s))
local w = {"banana", "apple", "cherry"} table.sort(w) print(table.concat(w, " "))
local r = {} for i = 1, 100 do r[i] = (i * 7919) % 101 end table.sort(r) print(table.concat(r, ","))
local recs = {} for i = 1, 50 do recs[i] = {k = (i * 31) % 7, i = i} end
table.sort(recs, function(a, b) return a.k < b.k end)
local o = {} for i, v in ipairs(recs) do o[i] = v.k .. ":" .. v.i end print(table.concat(o, " "))
print(pcall(table.sort, {1, 2, 3, 4, 5, 6, 7, 8}, function(a, b) return true end))
print(table.getn({1, 2, 3}), table.maxn({1, 2, nil, 4}), table.maxn({}), table.maxn({[1.5] = 1, [-1] = 2}))
print(table.foreach({1, 2, 3}, function(k, v) if k == 2 then return v * 10 end end), table.foreachi({1, 2, 3}, function(i, v) print(i, v) end))
-- the array part: borders and order
local function show(t) local n = {} for k, v in pairs(t) do n[#n + 1] = tostring(k) .. "=" .. tostring(v) end print(#t, table.concat(n, " ")) end
show({1, 2, 3, nil, 5}) show({1, nil, 3}) show({nil, nil, 3}) show({nil}) show({1, 2, nil, nil}) show({n = 1}) show({[1] = 1, [2] = 2, [4] = 4}) show({[3] = 3, [2] = 2, [1] = 1}) show({10, 20, [1] = 5, [3] = 30})
local a = {} for i = 1, 20 do a[i] = i end for i = 1, 20, 2 do a[i] = nil end show(a) a[21] = 21 show(a)
local b = {} for i = 20, 1, -1 do b[i] = i end show(b) b[20] = nil show(b) b[10] = nil show(b)
local c = {} c[1.5] = 1 c[-1] = 2 c[0] = 3 c[1] = 4 c[2^40] = 5 c[100] = 6 show(c)
local d = {} for i = 1, 5 do d[i] = i end for k in pairs(d) do d[k] = nil end show(d) print(next(d))
local e = {} for i = 1, 100 do e[i * 1000] = i end local cnt = 0 for k, v in pairs(e) do cnt = cnt + v end print(cnt) show({[1000] = 1, [2000] = 2, [3000] = 3, [4000] = 4, [5] = 5})
local f = {} for i = 1, 40 do f[i * 3] = i end show(f) for i = 1, 40 do f[i * 3] = nil end f[7] = 1 show(f)
local g = {true, false} g[true] = 1 g[false] = 2 show(g)
local h = {} h[1] = 1 h[2] = 2 h[3] = 3 h[5] = 5 h[6] = 6 h[7] = 7 show(h) h[4] = 4 show(h) h[8] = 8 h[9] = 9 show(h)
print(#{unpack({1, 2, 3}, 1, 5)}, #{n = 3}, #"", select("#", unpack({}, 1, 0)))
local big = {} for i = 1, 1000 do big[#big + 1] = i end print(#big) for i = 1, 500 do table.remove(big) end print(#big, big[500], big[501])
for i = 1, 3 do local x = {i, i + 1; [5] = 6} print(#x, x[1], x[2], x[5]) end
local m = {{1, 2}, {3, 4}} print(m[2][1], #m, #m[1])
local k1, k2 = {}, {} local byobj = {[k1] = "a", [k2] = "b"} print(byobj[k1], byobj[k2], byobj[{}])
print(pcall(function() local t = {} t[nil] = 1 end)) print(({}).x, ({1})[1], ({[0] = 5})[0], ({[-0] = 6})[0])
local z = {} z[0.1 + 0.2] = "x" print(z[0.3], z[0.1 + 0.2]) z["1"] = "s" z[1] = "n" print(z["1"], z[1], z[1.0])
local fields = {} for i = 1, 120 do fields[i] = i end print(#loadstring("return {" .. table.concat(fields, ",") .. "}")())
