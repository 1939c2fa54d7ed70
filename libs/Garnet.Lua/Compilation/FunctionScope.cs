// The names that are visible while a function is parsed. Used by the thread that compiles.
namespace Garnet.Lua.Compilation;

/// <summary>Resolves names to local variables, and to captured variables of enclosing functions.</summary>
internal sealed class FunctionScope(FunctionScope? parent, int line)
{
    private const int MaxLocals = 200;
    private const int MaxUpvalues = 60;

    private readonly List<LocalVariable> _active = [];
    private readonly List<(LocalVariable Variable, Capture Capture)> _upvalues = [];

    public bool IsVararg { get; set; }

    public bool UsesDots { get; set; }

    public int ActiveCount => _active.Count;

    public IEnumerable<Capture> Captures => _upvalues.Select(static upvalue => upvalue.Capture);

    /// <summary>Checks that <paramref name="pending"/> more variables are possible beside the active ones.</summary>
    public void CheckRoom(Lexer lexer, int pending)
    {
        if (_active.Count + pending > MaxLocals)
            throw LimitError(lexer, MaxLocals, "local variables");
    }

    public void Activate(LocalVariable variable) => _active.Add(variable);

    public void Deactivate(int count) => _active.RemoveRange(count, _active.Count - count);

    public LocalVariable? FindLocal(string name) => _active.FindLast(variable => variable.Name == name);

    /// <summary>The index of a captured variable, or -1 if the name is global.</summary>
    public int FindUpvalue(Lexer lexer, string name)
    {
        if (parent is null)
            return -1;
        if (parent.FindLocal(name) is { } local)
        {
            local.IsCaptured = true;
            return AddUpvalue(lexer, local, new Capture(local, -1));
        }

        int outer = parent.FindUpvalue(lexer, name);
        return outer < 0 ? -1 : AddUpvalue(lexer, parent._upvalues[outer].Variable, new Capture(null, outer));
    }

    private int AddUpvalue(Lexer lexer, LocalVariable variable, Capture capture)
    {
        int known = _upvalues.FindIndex(upvalue => ReferenceEquals(upvalue.Variable, variable));
        if (known >= 0)
            return known;
        if (_upvalues.Count == MaxUpvalues)
            throw LimitError(lexer, MaxUpvalues, "upvalues");
        _upvalues.Add((variable, capture));
        return _upvalues.Count - 1;
    }

    private LuaSyntaxException LimitError(Lexer lexer, int limit, string what) =>
        lexer.Error(line == 0 ? $"main function has more than {limit} {what}" : $"function at line {line} has more than {limit} {what}");
}
