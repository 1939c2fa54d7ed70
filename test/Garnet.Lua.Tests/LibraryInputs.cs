// Inputs of library functions that tests damage. Immutable; any thread.
namespace Garnet.Lua.Tests;

internal static class LibraryInputs
{
    /// <summary>A Lua function that shows its arguments after the first, tables with their content.</summary>
    public const string Show = """
        local function show(depth, ...)
            local texts = {}
            for i = 1, select('#', ...) do
                local value = select(i, ...)
                if type(value) == 'table' and depth < 4 then
                    local fields = {}
                    for key, field in pairs(value) do fields[#fields + 1] = show(4, key) .. '=' .. show(depth + 1, field) end
                    texts[i] = '{' .. table.concat(fields, ',') .. '}'
                elseif type(value) == 'number' then
                    texts[i] = string.format('%.17g', value)
                elseif type(value) == 'string' then
                    texts[i] = string.format('%q', value)
                else
                    texts[i] = type(value) == 'table' and 'deep' or tostring(value)
                end
            end
            return table.concat(texts, ' ')
        end
        """;

    /// <summary>Functions of one text, with a text that they understand.</summary>
    public static readonly (string Function, string Input)[] All =
    [
        ("cjson.decode", "[1,{\"a\":[true,null,-1.5e3,\"x\\u00e9\\n\"]},\"y\",0x1f,1e400,NaN,-Infinity]"),
        ("cjson.decode", "{\"id\":12345678901234567890,\"list\":[[],{},[{}]],\"t\":\"\\ud83d\\ude00\\ud83d\"}"),
        ("cjson.encode", "plain\u0001\u007f\u00ff\"\\/\t\n"),
        (
            "cmsgpack.unpack",
            "\u0093\u0001\u00a3abc\u0082\u00a1x\u00cb\u0040\u0009\u0021\u00fb\u0054\u0044\u002d\u0018\u00a1y\u00dc\u0000\u0002\u00c0\u00c3"
        ),
        (
            "cmsgpack.unpack",
            "\u00d9\u0003abc\u00cd\u00ff\u0001\u00d1\u0080\u0000\u00ce\u0000\u0001\u0000\u0000\u00ca\u003f\u0080\u0000\u0000\u00d0\u00fe\u00cf"
        ),
        ("function(s) return cmsgpack.unpack_limit(s, #s % 5, #s % 3) end", "\u0001\u0002\u0003\u00a1a\u0090\u0080\u00c0"),
        ("function(s) return cmsgpack.unpack_one(s, #s % 7) end", "\u0001\u00cc\u0080\u00a2hi\u0091\u0001\u0081\u0001\u0002"),
        ("function(s) return struct.unpack(s, s) end", ">!4bBhHlLi3I8fdc4sxc0"),
        (
            "function(s) return struct.unpack('>I2hbBdf', s) end",
            "\u0000\u0001\u0002\u0003\u0004\u0005\u0040\u0009\u0021\u00fb\u0054\u0044\u002d\u0018\u003f\u0080\u0000\u0000"
        ),
        ("function(s) return struct.pack(s, 1, -2, 300, 'text', 5.5, 'more', 7) end", "<i2bHc2ds!8 xl>I4f"),
        ("struct.size", "<i2bHc2d!8 xl>I4f"),
        ("function(s) return string.find(s, s) end", "^(%a+)%s*=[^%d]-(.-)%b()%f[%w]$"),
        ("function(s) return string.find('key = (value) 12, [x]', s) end", "(%a+)%s*=[^%d]-(.-)%b()%f[%w]()"),
        ("function(s) return string.gsub('one two  three', s, '<%0%1>') end", "(%w+)%s-%f[%w][^a-z]*"),
        ("function(s) return string.gsub(s, s, s) end", "(%w+)%1[%a-z]*()?+-"),
        ("function(s) return string.format(s, 1, 2, 3, 4, 5) end", "%5.2f|%-8s|%+d|%x|%q|%c"),
        ("function(s) return string.format(s, 'a', -7, 2^40, 1.5, 'b') end", "%s|%i|%o|%e|%10.3s|%G|%u|%X|%%"),
        ("tonumber", " 0x1F.8p1 -1e5 "),
        ("function(s) return tonumber(s, 36), tonumber(s, 2), tonumber(s, 16) end", " -10az "),
        ("function(s) return bit.band(s, '0xff'), bit.tohex(s), bit.lshift(s, s) end", "-1234567890.5e1"),
        ("function(s) return bit.tohex(s:byte(), #s - 5), bit.bswap(s:byte(-1)), bit.arshift(#s - 9, s) end", "12345678"),
    ];
}
