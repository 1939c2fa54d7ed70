// Generates random Lua programs. One thread.
using System.Globalization;
using System.Text;

namespace Garnet.Lua.Tests;

/// <summary>
/// Programs of the whole grammar that end soon and print what they compute. They avoid what depends on the implementation: addresses, and
/// the order of pairs for keys that are strings.
/// </summary>
internal sealed class ProgramGenerator(Random random)
{
    private const int MaxDepth = 4;

    private static readonly string[] Names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    private static readonly string[] Globals = ["x", "y", "z"];
    private static readonly string[] Fields = ["k", "m", "n"];

    private readonly StringBuilder _text = new();
    private readonly List<string> _locals = [];
    private int _depth;
    private bool _isVararg = true;

    /// <summary>Each top statement runs protected, and what it leaves in the variables is printed.</summary>
    public string Generate()
    {
        // Globals are the program's own, so that programs do not see each other's.
        _text.Append("local x, y, z, T = 1, 'two', nil, {1, 2, 3, k = 'v', m = {n = 5}}\n");
        _text.Append("local function show(...) local o = {} for i = 1, select('#', ...) do local v = select(i, ...) ");
        _text.Append("o[i] = (type(v) == 'table' or type(v) == 'function' or type(v) == 'thread') and type(v) or tostring(v) end ");
        _text.Append("print(table.concat(o, ' ')) end\n");
        int statements = random.Next(3, 9);
        for (int i = 0; i < statements; i++)
        {
            int locals = _locals.Count;
            _isVararg = false;
            _text.Append("show(pcall(function()\n");
            Block(random.Next(1, 5));
            _text.Append("return ").Append(Expression()).Append("\nend))\n");
            _locals.RemoveRange(locals, _locals.Count - locals);
        }

        _text.Append("show(x, y, z, T.k, T[1], #T)\n");
        return _text.ToString();
    }

    private string Pick(string[] from) => from[random.Next(from.Length)];

    private void Block(int statements)
    {
        int locals = _locals.Count;
        _depth++;
        for (int i = 0; i < statements; i++)
            Statement();
        _depth--;
        _locals.RemoveRange(locals, _locals.Count - locals);
    }

    private string Variable() => _locals.Count > 0 && random.Next(3) > 0 ? _locals[random.Next(_locals.Count)] : Pick(Globals);

    private void Statement()
    {
        int choice = random.Next(_depth > MaxDepth ? 5 : 14);
        switch (choice)
        {
            case 0:
            case 1:
            {
                string name = Pick(Names);
                string value = Expression();
                _text.Append("local ").Append(name).Append(" = ").Append(value).Append('\n');
                _locals.Add(name);
                break;
            }

            case 2:
                _text.Append(Variable()).Append(" = ").Append(Expression()).Append('\n');
                break;
            case 3:
                _text.Append("T.").Append(Pick(Fields)).Append(" = ").Append(Expression()).Append('\n');
                break;
            case 4:
                _text.Append("show(").Append(Expression()).Append(", ").Append(Expression()).Append(")\n");
                break;
            case 5:
                _text.Append("if ").Append(Expression()).Append(" then\n");
                Block(random.Next(1, 3));
                if (random.Next(2) == 0)
                {
                    _text.Append("elseif ").Append(Expression()).Append(" then\n");
                    Block(1);
                }

                if (random.Next(2) == 0)
                {
                    _text.Append("else\n");
                    Block(1);
                }

                _text.Append("end\n");
                break;
            case 6:
            {
                string name = Pick(Names);
                _text.Append("for ").Append(name).Append(" = ").Append(random.Next(1, 4)).Append(", ").Append(random.Next(0, 6));
                _text.Append(random.Next(3) == 0 ? ", 2" : "").Append(" do\n");
                _locals.Add(name);
                Block(random.Next(1, 3));
                _locals.RemoveAt(_locals.Count - 1);
                _text.Append("end\n");
                break;
            }

            case 7:
            {
                string name = Pick(Names);
                _text
                    .Append("for _, ")
                    .Append(name)
                    .Append(" in ipairs({")
                    .Append(Expression())
                    .Append(", ")
                    .Append(Expression())
                    .Append("}) do\n");
                _locals.Add(name);
                Block(random.Next(1, 3));
                _locals.RemoveAt(_locals.Count - 1);
                _text.Append("end\n");
                break;
            }

            case 8:
                _text.Append("do local n = 0 while n < ").Append(random.Next(1, 4)).Append(" do n = n + 1\n");
                Block(random.Next(1, 3));
                if (random.Next(3) == 0)
                    _text.Append("if ").Append(Expression()).Append(" then break end\n");
                _text.Append("end end\n");
                break;
            case 9:
                _text.Append("do local n = 0 repeat n = n + 1\n");
                Block(random.Next(1, 3));
                _text.Append("until n > ").Append(random.Next(1, 4)).Append(" or ").Append(Expression()).Append(" end\n");
                break;
            case 10:
            {
                string name = Pick(Names);
                string parameter = Pick(Names);
                bool outer = _isVararg;
                _isVararg = random.Next(2) == 0;
                _text.Append("local function ").Append(name).Append('(').Append(parameter).Append(_isVararg ? ", ...)\n" : ")\n");
                _locals.Add(parameter);
                Block(random.Next(1, 3));
                _text.Append("return ").Append(Expression()).Append(", ").Append(Expression()).Append("\nend\n");
                _locals.RemoveAt(_locals.Count - 1);
                _isVararg = outer;
                _locals.Add(name);
                _text.Append("show(").Append(name).Append('(').Append(Expression()).Append(", ").Append(Expression()).Append("))\n");
                break;
            }

            case 11:
                _text
                    .Append(Variable())
                    .Append(", ")
                    .Append(Variable())
                    .Append(" = ")
                    .Append(Expression())
                    .Append(", ")
                    .Append(Expression())
                    .Append('\n');
                break;
            case 12:
                _text
                    .Append("T[")
                    .Append(random.Next(1, 6))
                    .Append("], ")
                    .Append(Variable())
                    .Append(" = ")
                    .Append(Expression())
                    .Append(", ");
                _text.Append(Expression()).Append('\n');
                break;
            default:
            {
                bool outer = _isVararg;
                _isVararg = false;
                _text.Append("show(pcall(function() ").Append("return ").Append(Expression()).Append(" end))\n");
                _isVararg = outer;
                break;
            }
        }
    }

    private string Expression()
    {
        if (_depth > MaxDepth + 2)
            return Leaf();
        _depth++;
        string result = random.Next(20) switch
        {
            < 6 => Leaf(),
            < 9 => $"({Expression()} {Pick(["+", "-", "*", "/", "%", "^"])} {Expression()})",
            9 => $"({Expression()} .. {Expression()})",
            10 => $"({Expression()} {Pick(["==", "~=", "<", ">", "<=", ">="])} {Expression()})",
            11 => $"({Expression()} and {Expression()})",
            12 => $"({Expression()} or {Expression()})",
            13 => $"{Pick(["not ", "- ", "#"])}{Leaf()}",
            14 => $"{{{Expression()}, {Expression()}, {Pick(Fields)} = {Expression()}}}",
            15 => $"({Expression()}).{Pick(Fields)}",
            16 => Library(),
            17 => $"T.{Pick(Fields)}.{Pick(Fields)}",
            18 => _isVararg ? "..." : $"T[{Expression()}]",
            _ => $"(function(v) return v, {Leaf()} end)({Expression()})",
        };
        _depth--;
        return result;
    }

    private string Library() =>
        random.Next(14) switch
        {
            0 => $"tostring({SimpleLeaf()})",
            1 => $"tonumber({Leaf()})",
            2 => $"type({Leaf()})",
            3 => $"math.floor({Leaf()})",
            4 => $"math.max({Leaf()}, {Leaf()})",
            5 => $"string.rep({Leaf()}, {random.Next(0, 4)})",
            6 => $"string.sub({Leaf()}, {random.Next(-3, 4)}, {random.Next(-3, 5)})",
            7 => $"string.format('%s|%5.2f|%d', {SimpleLeaf()}, {random.Next(1, 99)}, {random.Next(1, 99)})",
            8 => $"string.find({Leaf()}, {Pick(["'%d+'", "'.-v'", "'(.)(.)'", "'^a*'", "'[%w]+$'"])})",
            9 => $"string.gsub({Leaf()}, {Pick(["'%a'", "'.'", "'o'"])}, {Pick(["'-'", "'%0%0'", "{v = 'V'}"])})",
            10 => $"select({random.Next(-2, 4)}, {Leaf()}, {Leaf()})",
            11 => $"unpack({{{Leaf()}, {Leaf()}}})",
            12 => $"#table.concat({{{random.Next(9)}, {SimpleLeaf()}}}, ',')",
            _ => $"string.upper({Leaf()})",
        };

    private string SimpleLeaf() =>
        random.Next(3) switch
        {
            0 => random.Next(-50, 100).ToString(CultureInfo.InvariantCulture),
            1 => $"'{Pick(["", "v", "hello", "10", "0x1f", "a b"])}'",
            _ => Pick(["1.5", "0", "1e15", "2^53", "-0.25", "1e300"]),
        };

    private string Leaf() =>
        random.Next(8) switch
        {
            < 3 => SimpleLeaf(),
            3 => Pick(["nil", "true", "false", "{}"]),
            4 => "T." + Pick(Fields),
            _ => Variable(),
        };
}
