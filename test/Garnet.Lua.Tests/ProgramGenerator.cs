// Generates random Lua programs. One thread.
using System.Globalization;
using System.Text;

namespace Garnet.Lua.Tests;

/// <summary>
/// Programs of the whole grammar that end soon and print what they compute. They avoid what depends on the implementation: addresses and,
/// unless they are for Valkey, the order of pairs for keys that are strings.
/// </summary>
internal sealed class ProgramGenerator
{
    private const int MaxDepth = 4;

    private static readonly string[] Names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    private static readonly string[] Globals = ["x", "y", "z"];
    private static readonly string[] Fields = ["k", "m", "n"];

    private static readonly string[] Metamethods =
    [
        "__index = function(t, k) return tostring(k) .. '?' end",
        "__index = {k = 'inherited', n = 7}",
        "__newindex = function(t, k, v) rawset(t, k, type(v)) end",
        "__add = function(a, b) return type(a) .. '+' .. type(b) end",
        "__unm = function(a) return 'minus' end",
        "__concat = function(a, b) return type(a) .. '..' .. type(b) end",
        "__eq = function(a, b) return true end",
        "__lt = function(a, b) return type(a) == 'table' end",
        "__le = function(a, b) return 1 end",
        "__call = function(self, ...) return select('#', ...), ... end",
        "__len = function() return 99 end",
        "__tostring = function() return 'object' end",
        "__metatable = 'hidden'",
    ];

    // In Valkey pcall returns the field err of an error table, too.
    private const string PlainProtectedCall =
        "local call, cut = pcall, function(ok, e, ...) if ok then return ok, e, ... end return ok, e end\n"
        + "local function pcall(...) return cut(call(...)) end\n"
        + "local function flat(e) return type(e) == 'table' and 'table' or e end\n";

    private readonly Random _random;
    private readonly bool _isForServer;
    private readonly LibraryCalls _libraries;
    private readonly StringBuilder _text = new();
    private readonly List<string> _locals = [];
    private int _depth;
    private bool _isVararg = true;

    /// <param name="random">Chooses.</param>
    /// <param name="isForServer">
    /// Whether the program is a script for Valkey, which returns what it prints and may use the libraries that Valkey adds.
    /// </param>
    public ProgramGenerator(Random random, bool isForServer = false)
    {
        _random = random;
        _isForServer = isForServer;
        _libraries = new LibraryCalls(random, Leaf);
    }

    /// <summary>Each top statement runs protected, and what it leaves in the variables is printed.</summary>
    public string Generate()
    {
        if (_isForServer)
            _text.Append("local output = {} local function print(line) output[#output + 1] = line end\n");
        else
            _text.Append(PlainProtectedCall);
        _text.Append("local function lim(s) return type(s) == 'string' and #s > 99 and s:sub(1, 99) or s end\n");
        // Globals are the program's own, so that programs do not see each other's.
        _text.Append("local x, y, z, T = 1, 'two', nil, {1, 2, 3, k = 'v', m = {n = 5}}\n");
        _text.Append("local function show(...) local o = {} for i = 1, select('#', ...) do local v = select(i, ...) ");
        _text.Append("o[i] = (type(v) == 'table' or type(v) == 'function' or type(v) == 'thread') and type(v) or tostring(v) end ");
        _text.Append("print(table.concat(o, ' ')) end\n");
        int statements = _random.Next(3, 9);
        for (int i = 0; i < statements; i++)
        {
            int locals = _locals.Count;
            _isVararg = false;
            _text.Append("show(pcall(function()\n");
            Block(_random.Next(1, 5));
            _text.Append("return ").Append(Expression()).Append("\nend))\n");
            _locals.RemoveRange(locals, _locals.Count - locals);
        }

        _text.Append("show(x, y, z, T.k, T[1], #T)\n");
        if (_isForServer)
            _text.Append("return table.concat(output, '\\n')\n");
        return _text.ToString();
    }

    private string Pick(string[] from) => from[_random.Next(from.Length)];

    private void Block(int statements)
    {
        int locals = _locals.Count;
        _depth++;
        for (int i = 0; i < statements; i++)
            Statement();
        _depth--;
        _locals.RemoveRange(locals, _locals.Count - locals);
    }

    private string Variable() => _locals.Count > 0 && _random.Next(3) > 0 ? _locals[_random.Next(_locals.Count)] : Pick(Globals);

    private void Statement()
    {
        int choice = _random.Next(_depth > MaxDepth ? 5 : 22);
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
                Block(_random.Next(1, 3));
                if (_random.Next(2) == 0)
                {
                    _text.Append("elseif ").Append(Expression()).Append(" then\n");
                    Block(1);
                }

                if (_random.Next(2) == 0)
                {
                    _text.Append("else\n");
                    Block(1);
                }

                _text.Append("end\n");
                break;
            case 6:
            {
                string name = Pick(Names);
                _text.Append("for ").Append(name).Append(" = ").Append(_random.Next(1, 4)).Append(", ").Append(_random.Next(0, 6));
                _text.Append(_random.Next(3) == 0 ? ", 2" : "").Append(" do\n");
                _locals.Add(name);
                Block(_random.Next(1, 3));
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
                Block(_random.Next(1, 3));
                _locals.RemoveAt(_locals.Count - 1);
                _text.Append("end\n");
                break;
            }

            case 8:
                _text.Append("do local n = 0 while n < ").Append(_random.Next(1, 4)).Append(" do n = n + 1\n");
                Block(_random.Next(1, 3));
                if (_random.Next(3) == 0)
                    _text.Append("if ").Append(Expression()).Append(" then break end\n");
                _text.Append("end end\n");
                break;
            case 9:
                _text.Append("do local n = 0 repeat n = n + 1\n");
                Block(_random.Next(1, 3));
                _text.Append("until n > ").Append(_random.Next(1, 4)).Append(" or ").Append(Expression()).Append(" end\n");
                break;
            case 10:
            {
                string name = Pick(Names);
                string parameter = Pick(Names);
                bool outer = _isVararg;
                _isVararg = _random.Next(2) == 0;
                _text.Append("local function ").Append(name).Append('(').Append(parameter).Append(_isVararg ? ", ...)\n" : ")\n");
                _locals.Add(parameter);
                Block(_random.Next(1, 3));
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
                    .Append(_random.Next(1, 6))
                    .Append("], ")
                    .Append(Variable())
                    .Append(" = ")
                    .Append(Expression())
                    .Append(", ");
                _text.Append(Expression()).Append('\n');
                break;
            case 13:
                Metatable();
                break;
            case 14:
                Coroutine();
                break;
            case 15:
                Closures();
                break;
            case 16:
                Method();
                break;
            case 17:
                Raise();
                break;
            case 18:
                Sort();
                break;
            case 19 when _isForServer:
                Pairs();
                break;
            case 20:
                _text.Append($"show(pcall(loadstring, {Expression()}))\n");
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

    private void Metatable()
    {
        string name = Pick(Names);
        IEnumerable<string> events = Metamethods.Where(_ => _random.Next(3) == 0);
        _text.Append($"local {name} = setmetatable({{k = {Expression()}}}, {{{string.Join(", ", events)}}})\n");
        _locals.Add(name);
        _text.Append($"show(pcall({name}, {Leaf()})) show(pcall(function() {name}.n = {Leaf()} return {name}.n, {name}.q end))\n");
        _text.Append(
            $"show(pcall(getmetatable, {name}), pcall(rawget, {name}, 'n'), pcall(setmetatable, {name}, {Pick(["nil", "{}", "1"])}))\n"
        );
    }

    private void Coroutine()
    {
        string parameter = Pick(Names);
        _text.Append($"do local co = coroutine.{Pick(["wrap", "create"])}(function({parameter}, ...)\n");
        bool outer = _isVararg;
        _isVararg = true;
        _locals.Add(parameter);
        _text.Append($"local got = coroutine.yield({Expression()}, ...) show(got, coroutine.running() ~= nil)\n");
        Block(_random.Next(1, 3));
        _text.Append($"{Pick(["", "coroutine.yield() ", "pcall(coroutine.yield, 1) "])}return {Expression()} end)\n");
        _locals.RemoveAt(_locals.Count - 1);
        _isVararg = outer;
        _text.Append("local step = type(co) == 'thread' and coroutine.resume or pcall\n");
        for (int i = _random.Next(1, 5); i > 0; i--)
            _text.Append($"show(step(co, {Leaf()}, {Leaf()})) show(type(co) == 'thread' and coroutine.status(co))\n");
        _text.Append("end\n");
    }

    private void Closures()
    {
        _text.Append("do local list, sum = {}, 0 for i = 1, 3 do local own = i list[i] = function(d) own = own + (tonumber(d) or 1) ");
        _text.Append("sum = sum + own return own, i, sum end end\n");
        for (int i = _random.Next(1, 4); i > 0; i--)
            _text.Append($"show(pcall(list[{_random.Next(1, 5)}], {Leaf()}))\n");
        _text.Append("end\n");
    }

    private void Method()
    {
        string parameter = Pick(Names);
        bool outer = _isVararg;
        _isVararg = _random.Next(2) == 0;
        _text.Append($"do local object = {{v = {Leaf()}, inner = {{}}}}\n");
        _text.Append($"function object.inner:method({parameter}{(_isVararg ? ", ..." : "")})\n");
        _locals.Add(parameter);
        Block(1);
        _text.Append($"return self.v, {Expression()} end\n");
        _locals.RemoveAt(_locals.Count - 1);
        _isVararg = outer;
        _text.Append($"object.inner.v = object.v show(object.inner:method({Expression()}))\n");
        _text.Append($"show(pcall(function() return object:{Pick(["method", "v", "inner"])}({Leaf()}) end)) end\n");
    }

    private void Raise() =>
        _text.Append(
            _random.Next(4) switch
            {
                0 => $"show(pcall(error, {Raised()}, {_random.Next(0, 4)}))\n",
                1 => $"if {Expression()} then error({Raised()}{Pick(["", ", 0", ", 2"])}) end\n",
                2 => $"show(xpcall(function() return {Expression()} end, function(e) return 'handled', type(e), e end))\n",
                _ => $"show(pcall(assert, {Raised()}, {Raised()}))\n",
            }
        );

    // In Valkey pcall asks an error table for its field err, which metamethods may answer.
    private string Raised() => _isForServer ? Leaf() : $"flat({Leaf()})";

    private void Sort()
    {
        string order = Pick(["", ", function(a, b) return a > b end", ", function(a, b) return tostring(a) < tostring(b) end"]);
        IEnumerable<string> elements = Enumerable.Range(0, _random.Next(1, 9)).Select(_ => SimpleLeaf());
        _text.Append($"do local list = {{{string.Join(", ", elements)}}} show(pcall(table.sort, list{order})) show(unpack(list))\n");
        _text.Append(
            $"show(pcall(table.insert, list, {_random.Next(-1, 9)}, {Leaf()})) show(pcall(table.remove, list, {_random.Next(-1, 9)}))\n"
        );
        _text.Append("show(#list, unpack(list)) end\n");
    }

    private void Pairs()
    {
        _text.Append($"for key, value in pairs({_libraries.Document(0)}) do show(key, value) end\n");
        IEnumerable<string> keys = Enumerable.Range(0, _random.Next(1, 12)).Select(_ => SimpleLeaf());
        _text.Append(
            $"do local set = {{}} for i, key in ipairs({{{string.Join(", ", keys)}}}) do set[key] = i if i % 4 == 0 then set[key] = nil end end "
        );
        _text.Append("for key, value in pairs(set) do show(key, value) end end\n");
    }

    private string Expression()
    {
        if (_depth > MaxDepth + 2)
            return Leaf();
        _depth++;
        string result = _random.Next(20) switch
        {
            < 6 => Leaf(),
            < 9 => $"({Expression()} {Pick(["+", "-", "*", "/", "%", "^"])} {Expression()})",
            9 => $"(lim({Expression()}) .. lim({Expression()}))",
            10 => $"({Expression()} {Pick(["==", "~=", "<", ">", "<=", ">="])} {Expression()})",
            11 => $"({Expression()} and {Expression()})",
            12 => $"({Expression()} or {Expression()})",
            13 => $"{Pick(["not ", "- ", "#"])}{Leaf()}",
            14 => $"{{{Expression()}, {Expression()}, {Pick(Fields)} = {Expression()}}}",
            15 => $"({Expression()}).{Pick(Fields)}",
            16 => Library(),
            17 when _random.Next(2) == 0 => $"({SimpleLeaf()} .. {Leaf()} .. {SimpleLeaf()})",
            17 => $"T.{Pick(Fields)}.{Pick(Fields)}",
            18 => _isVararg ? "..." : $"T[{Expression()}]",
            _ => $"(function(v) return v, {Leaf()} end)({Expression()})",
        };
        _depth--;
        return result;
    }

    private string Library() =>
        _random.Next(_isForServer ? 3 : 2) switch
        {
            0 => _libraries.Any(),
            2 => _libraries.AnyOfServer(),
            _ => Basic(),
        };

    private string Basic() =>
        _random.Next(14) switch
        {
            0 => $"tostring({SimpleLeaf()})",
            1 => $"tonumber({Leaf()})",
            2 => $"type({Leaf()})",
            3 => $"math.floor({Leaf()})",
            4 => $"math.max({Leaf()}, {Leaf()})",
            5 => $"string.rep(lim({Leaf()}), {_random.Next(0, 4)})",
            6 => $"string.sub({Leaf()}, {_random.Next(-3, 4)}, {_random.Next(-3, 5)})",
            7 => $"string.format('%s|%5.2f|%d', {SimpleLeaf()}, {_random.Next(1, 99)}, {_random.Next(1, 99)})",
            8 => $"string.find({Leaf()}, {Pick(["'%d+'", "'.-v'", "'(.)(.)'", "'^a*'", "'[%w]+$'"])})",
            9 => $"string.gsub(lim({Leaf()}), {Pick(["'%a'", "'.'", "'o'"])}, {Pick(["'-'", "'%0%0'", "{v = 'V'}"])})",
            10 => $"select({_random.Next(-2, 4)}, {Leaf()}, {Leaf()})",
            11 => $"unpack({{{Leaf()}, {Leaf()}}})",
            12 => $"#table.concat({{{_random.Next(9)}, {SimpleLeaf()}}}, ',')",
            _ => $"string.upper({Leaf()})",
        };

    private string SimpleLeaf() =>
        _random.Next(3) switch
        {
            0 => _random.Next(-50, 100).ToString(CultureInfo.InvariantCulture),
            1 => $"'{Pick(["", "v", "hello", "10", "0x1f", "a b"])}'",
            _ => Pick(["1.5", "0", "1e15", "2^53", "-0.25", "1e300"]),
        };

    private string Leaf() =>
        _random.Next(8) switch
        {
            < 3 => SimpleLeaf(),
            3 => Pick(["nil", "true", "false", "{}"]),
            4 => "T." + Pick(Fields),
            _ => Variable(),
        };
}
