// The commands that a selector allows. Changed by one thread before it is published, never after; then read by any thread.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Acl;

/// <summary>
/// One bit for each command and subcommand, first arguments of commands that are otherwise denied, and the rules that led there, as ACL
/// LIST shows them: a rule is dropped when a later one for the same command replaces it.
/// </summary>
internal sealed class AllowedCommands
{
    private readonly CommandTable _table;
    private readonly ulong[] _bits;
    private readonly List<string> _rules;
    private readonly Dictionary<int, List<string>> _firstArguments;
    private bool _includesLater;

    /// <summary>Allows nothing.</summary>
    public AllowedCommands(CommandTable table)
    {
        _table = table;
        _bits = new ulong[(table.IdLimit + 63) / 64];
        _rules = [];
        _firstArguments = [];
    }

    private AllowedCommands(AllowedCommands other)
    {
        _table = other._table;
        _bits = [.. other._bits];
        _rules = [.. other._rules];
        _firstArguments = other._firstArguments.ToDictionary(static pair => pair.Key, static pair => pair.Value.ToList());
        _includesLater = other._includesLater;
        AreAll = other.AreAll;
    }

    /// <summary>True when everything is allowed, without exception.</summary>
    public bool AreAll { get; private set; }

    public AllowedCommands Clone() => new(this);

    /// <summary>+@all or -@all: all earlier rules are void.</summary>
    public void SetAll(bool allow)
    {
        _bits.AsSpan().Fill(allow ? ulong.MaxValue : 0);
        AreAll = _includesLater = allow;
        _rules.Clear();
        _firstArguments.Clear();
    }

    /// <summary>Allows or denies a category; false when there is none of that name (which begins with @).</summary>
    public bool TrySetCategory(string category, bool allow)
    {
        if (!CategoryMembers.TryFind(category[1..], _table, out Func<Command, bool> isMember))
            return false;
        AddRule(category, allow);
        foreach (Command command in _table.Commands)
        {
            if (isMember(command))
                SetBits(command, allow);
            foreach (Command sub in command.Subcommands)
            {
                if (isMember(sub))
                    SetBits(sub, allow);
            }
        }

        return true;
    }

    /// <summary>Allows or denies a command with its subcommands, or one subcommand.</summary>
    public void Set(Command command, bool allow)
    {
        SetBits(command, allow);
        AddRule(command.FullName, allow);
    }

    /// <summary>Allows one value of the first argument of a command that has no subcommands.</summary>
    public void AllowFirstArgument(Command command, string argument)
    {
        if (!_firstArguments.TryGetValue(command.Id, out List<string>? allowed))
            _firstArguments.Add(command.Id, allowed = []);
        if (!allowed.Contains(argument, StringComparer.OrdinalIgnoreCase))
            allowed.Add(argument);
        AddRule($"{command.FullName}|{argument}", allow: true);
    }

    /// <summary>Applies the rules again, to commands that exist now; those of others are kept without effect.</summary>
    public void Recompute()
    {
        string[] rules = [.. _rules];
        SetAll(_includesLater);
        foreach (string rule in rules)
            Apply(rule);
        _rules.Clear();
        _rules.AddRange(rules);
    }

    /// <summary>A rule that names one of these commands of a module, or the module as a category; null when none does.</summary>
    public string? RuleNaming(IReadOnlyList<Command> commands) =>
        _rules.Find(rule =>
            commands.Any(command =>
                rule[1] == '@' ? CategoryMembers.IsOfModule(command, rule.AsSpan(2)) : NameIn(rule).SequenceEqual(command.FullName)
            )
        );

    /// <summary>Whether a call is allowed.</summary>
    /// <param name="command">The command or subcommand.</param>
    /// <param name="context">Holds the arguments.</param>
    /// <param name="offset">Index of the command's name among the arguments.</param>
    public bool Allows(Command command, in CommandContext context, int offset) =>
        AreAll
        || (command.Flags & CommandFlags.NoAuth) != 0
        || (_bits[command.Id >> 6] >> (command.Id & 63) & 1) != 0
        || (_firstArguments.Count > 0 && AllowsFirstArgument(command, in context, offset));

    /// <summary>The rules that produce these permissions, starting from none: <c>-@all +get</c>.</summary>
    public override string ToString()
    {
        string start = _includesLater ? "+@all" : "-@all";
        return _rules.Count == 0 ? start : $"{start} {string.Join(' ', _rules)}";
    }

    private bool AllowsFirstArgument(Command command, in CommandContext context, int offset)
    {
        if (context.Count - offset < 2 || !_firstArguments.TryGetValue(command.Id, out List<string>? allowed))
            return false;
        ReadOnlySpan<byte> first = ArgumentText.UpToZero(context[offset + 1]);
        foreach (string argument in allowed)
        {
            if (first.Length == argument.Length && argument.Equals(Encoding.Latin1.GetString(first), StringComparison.OrdinalIgnoreCase))
                return true;
        }

        return false;
    }

    // +name, -@category, +container|subcommand or +name|first-argument.
    private void Apply(string rule)
    {
        bool allow = rule[0] == '+';
        if (rule[1] == '@')
        {
            TrySetCategory(rule[1..], allow);
            return;
        }

        int bar = rule.IndexOf('|', StringComparison.Ordinal);
        if (_table.FindOriginal(Encoding.Latin1.GetBytes(NameIn(rule).ToString())) is not { } command)
        {
            AreAll = false;
            return;
        }

        if (bar < 0)
            Set(command, allow);
        else if (command.FindSubcommand(Encoding.Latin1.GetBytes(rule[(bar + 1)..])) is { } subcommand)
            Set(subcommand, allow);
        else
            AllowFirstArgument(command, rule[(bar + 1)..]);
    }

    // The command of a rule, without a subcommand or first argument.
    private static ReadOnlySpan<char> NameIn(string rule)
    {
        int bar = rule.IndexOf('|', StringComparison.Ordinal);
        return rule.AsSpan(1, (bar < 0 ? rule.Length : bar) - 1);
    }

    private void SetBits(Command command, bool allow)
    {
        SetBit(command.Id, allow);
        _firstArguments.Remove(command.Id);
        foreach (Command sub in command.Subcommands)
            SetBit(sub.Id, allow);
    }

    private void SetBit(int id, bool allow)
    {
        ulong bit = 1UL << (id & 63);
        if (allow)
            _bits[id >> 6] |= bit;
        else
            _bits[id >> 6] &= ~bit;
        AreAll &= allow;
    }

    private void AddRule(string name, bool allow)
    {
        name = name.ToLowerInvariant();
        _rules.RemoveAll(rule =>
            rule.AsSpan(1).SequenceEqual(name)
            || (rule.AsSpan(1).StartsWith(name) && rule.Length > name.Length + 1 && rule[name.Length + 1] == '|')
        );
        _rules.Add((allow ? "+" : "-") + name);
    }
}
