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

    /// <summary>What it captures from its enclosing function.</summary>
    public Capture[] Captures()
    {
        if (_upvalues.Count == 0)
            return [];
        var captures = new Capture[_upvalues.Count];
        for (int i = 0; i < captures.Length; i++)
            captures[i] = _upvalues[i].Capture;
        return captures;
    }

    /// <summary>Checks that <paramref name="pending"/> more variables are possible beside the active ones.</summary>
    public void CheckRoom(Lexer lexer, int pending)
    {
        if (_active.Count + pending > MaxLocals)
            throw LimitError(lexer, MaxLocals, "local variables");
    }

    /// <summary>Makes a variable visible.</summary>
    public void Activate(LocalVariable variable)
    {
        _active.Add(variable);
        variable.Scope = this;
        if (variable.Symbol is not { } symbol)
            return;
        variable.Hidden = symbol.Visible;
        symbol.Visible = variable;
    }

    /// <summary>Ends the visibility of all variables but the first ones.</summary>
    public void Deactivate(int count)
    {
        for (int i = _active.Count - 1; i >= count; i--)
        {
            if (_active[i].Symbol is { } symbol)
                symbol.Visible = _active[i].Hidden;
        }

        _active.RemoveRange(count, _active.Count - count);
    }

    /// <summary>The index of a variable of an enclosing function among those that this one captures.</summary>
    public int CaptureVariable(Lexer lexer, LocalVariable variable)
    {
        for (int i = 0; i < _upvalues.Count; i++)
        {
            if (ReferenceEquals(_upvalues[i].Variable, variable))
                return i;
        }

        Capture capture;
        if (ReferenceEquals(parent, variable.Scope))
        {
            variable.IsCaptured = true;
            capture = new Capture(variable, -1);
        }
        else
        {
            capture = new Capture(null, parent!.CaptureVariable(lexer, variable));
        }

        if (_upvalues.Count == MaxUpvalues)
            throw LimitError(lexer, MaxUpvalues, "upvalues");
        _upvalues.Add((variable, capture));
        return _upvalues.Count - 1;
    }

    private LuaSyntaxException LimitError(Lexer lexer, int limit, string what) =>
        lexer.Error(line == 0 ? $"main function has more than {limit} {what}" : $"function at line {line} has more than {limit} {what}");
}
