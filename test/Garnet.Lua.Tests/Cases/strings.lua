-- The string library.
print(("hello"):sub(2, 4), ("hello"):sub(-3), ("hello"):sub(2), ("hello"):sub(0), ("hello"):sub(10), ("hello"):sub(-100, 2), ("hello"):sub(3, 2), ("hello"):sub(2, -2))
print(("hello"):byte(), ("hello"):byte(2), ("hello"):byte(-1), ("hello"):byte(1, -1)) print(("hello"):byte(10))
print(string.char(72, 105), string.char(), ("x"):rep(0), ("x"):rep(-1), ("ab"):rep(3), ("abc"):reverse(), (""):reverse(), ("aBc"):upper(), ("aBc"):lower(), ("abc"):len())
print(("hello world"):find("wor"), ("hello world"):find("o", 6), ("hello"):find("l+"), ("hello"):find("xyz"), ("hello"):find(""), ("hello"):find("", 10), ("hello"):find("", 6))
print(("a.b"):find(".", 1, true), ("a.b"):find("%."), ("a+b"):find("+", 1, true), ("abc"):find("b", -1), ("abc"):find("b", -2))
print(("hello"):match("h(.)l"), ("hello"):match("(h)(e)(l)"), ("key=value"):match("(%w+)=(%w+)"), ("hello"):match(".-l"), ("hello"):match("()ll()"), ("  trim  "):match("^%s*(.-)%s*$") .. "|")
print(("abc123def"):match("%a+"), ("abc123def"):match("%d+"), ("abc123def"):match("%D+", 4), ("x_y-z"):match("[%w_]+"), ("[test]"):match("%[(.-)%]"), ("a]b"):match("[]]"), ("a^b"):match("[%^]"), ("a-b"):match("[a%-]+"), ("abc"):match("[^b]+"), ("abc"):match("[a-c]+"), ("a-"):match("[a-]+"))
print(("THE (quick) fox"):find("%((%a+)%)"), ("f(a(b)c)d"):match("%b()"), ("THE (quick) fox"):gsub("%f[%a]%a+", string.lower), ("hello"):gsub("", "-"))
print(("hello world"):gsub("o", "0"), ("hello world"):gsub("o", "0", 1), ("hello"):gsub("l", {l = "L"}), ("hello"):gsub("(h)(e)", "%2%1"), ("hello"):gsub(".", {h = 1, e = false}), ("hello"):gsub("l", function() end), ("abc"):gsub("%w", "%0%0"), ("abc"):gsub("%w", "%%"), ("x"):gsub("x", "%"))
print(("abc"):gsub("b*", "-"), ("hello"):gsub("^h", "H"), ("hhh"):gsub("^h", "H"), ("a b c"):gsub(" ", ""), ("abc"):gsub("$", "!"), ("a$c"):gsub("%$", "S"), ("a$c"):gsub("$c", "S"), ("x = 1"):gsub("%s*=%s*", "="))
for w in ("one two  three"):gmatch("%a+") do io_ = w print(w) end
for k, v in ("a=1, b=2"):gmatch("(%w+)=(%w+)") do print(k, v) end
for p in ("abc"):gmatch("()") do print(p) end
for x in ("aXbX"):gmatch("(.-)X") do print(x) end
for x in ("abc"):gmatch("^a") do print("anchor", x) end
print(string.format("%d %5d %-5d| %05d %+d % d %x %X %#x %o %i %u", 42, 42, 42, 42, 42, 42, 255, 255, 255, 8, 7, 3))
print(string.format("%5.2f|%-8.3f|%08.3f|%+.1f|%.0f|%f|%e|%.3e|%E|%g|%g|%g|%G|%.3g|%#g", 3.14159, 2.5, -2.5, 1.25, 2.5, 1/3, 12345.678, 0.00012, 1e10, 1e20, 0.0001, 0.00001, 1e-10, 1234567, 1))
print(string.format("%s|%10s|%-10s|%.2s|%s|%s|%q|%c%c|%%", "x", "x", "x", "xyz", 1.5, 10, 'a"b\\c\nd\0e\r', 72, 105))
print(string.format("%d", 3.7), string.format("%d", -3.7), string.format("%d", "10"), string.format("%x", -1), string.format("%5s%%", 10), string.format("%.14g", 0.1), string.format("%.17g", 0.1), string.format("%.20f", 0.1), string.format("%10.4s|", "abcdefgh"))
print(string.format("%g %g %g %f %e", 1/0, -1/0, 100, 1e15, 0), string.format("%5g|%-5g|%05g", 1, 1, 1), string.format("%.3d|%.0d|%5.3d", 5, 0, 5), string.format("%99.99f", 1):len())
print(string.format("%s", ("x"):rep(200)):len(), string.format("%q", "\1\2\200"), string.format("%.10s", ("y"):rep(200)), string.format("%c", 0):len(), string.format("a%sb", "x\0y"):len())
print(("a,b,,c"):find(",", 1, true), ("äö"):len(), ("\0a\0"):len(), ("a\0b"):find("\0"), ("a\0b"):find("b"), ("a\0b"):match("%z"), ("a\0b"):byte(2))
print(#string.format("%99d", 1), ("1.5"):rep(2), ("test123"):gsub("%d", function(d) return d + 1 end))
print(("one;two;;four"):gsub(";;", ";nil;"), ("abc"):find("b", nil), ("abc"):find("b", 1, false), ("a.c"):find("a.c", 1, 1))
print(pcall(string.rep, "x", -1), ("abc"):sub("2"), ("abc"):sub(2.9), ("abc"):rep(1.5), ("5"):rep(2) + 1, 2 .. "" == "2")
print(string.gfind == string.gmatch, ("aaa"):find("a-", 2), ("aaa"):find("^a-$"), ("aaab"):match("a*b"), ("aaab"):match("a-b"), ("aaa"):match("a?a?a?a?"), ("ab12"):match("%a%a%d%d$"), ("f(x)"):match("%((.)%)"))
print(("%d"):gsub("%%d", "%%s"), ("hello world from Lua"):gsub("(%w+) (%w+)", "%2 %1"), ("abc"):gsub("", ""), (""):gsub("", "x"), ("a"):gsub("a*", "x"))
print(tostring(1e15), tostring(-1e15), tostring(123456.789e3), 2^31, 2^63, -2^63, 1e16, 12345678901234567890, 0.1 + 0.2, 1e-5, 123e-7, 5e-324, 1.7976931348623157e308)
print(1e308 * 10, -1e308 * 10, 3.0, -0.5, 1e2, 1e1, 100 / 3, 99999999999999, 999999999999999, 0.1e1)
