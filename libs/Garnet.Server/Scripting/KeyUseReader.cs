// Reads a script's code to find out which keys it can touch. Used by one thread.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Server.Scripting;

/// <summary>
/// Follows what is known of each register from instruction to instruction (abstract interpretation). The code has no loop and calls no
/// compiled function, or nothing is certain about it; so one pass in the order of the instructions sees every path, and the script ends
/// after at most as many instructions as it has. A fact that two paths disagree on is joined where they meet. Values cannot grow by more
/// than a factor either, as they would by s = s .. s some thirty times.
/// </summary>
internal sealed class KeyUseReader
{
    private const int MaxInstructions = 500;
    private const int MaxGrowth = 64;

    private readonly Prototype _code;
    private readonly CommandTable _commands;
    private readonly bool _isFunction;

    // What is known at the targets of jumps that were seen.
    private readonly Dictionary<int, ScriptFact[]> _targets = [];

    // Null after a jump or return, until the target of a jump.
    private ScriptFact[]? _facts;

    // Values of unknown number from this register on, for the next instruction only; -1: none.
    private int _openFrom = -1;
    private int _nextOpenFrom = -1;
    private ScriptFact _open;

    // How many times as large as the largest value from outside of the script a value can be.
    private int _growth = 1;

    private KeyUseReader(Prototype code, CommandTable commands, bool isFunction)
    {
        _code = code;
        _commands = commands;
        _isFunction = isFunction;
        _facts = new ScriptFact[code.Registers];
        if (isFunction && code.Parameters > 0)
            _facts[0] = ScriptFact.Keys;
    }

    /// <summary>Reads the code of a script, or of a function whose parameters are the keys and the arguments.</summary>
    public static KeyUse Read(Prototype code, CommandTable commands, bool isFunction) =>
        code.Code.Length <= MaxInstructions && new KeyUseReader(code, commands, isFunction).IsCertain()
            ? KeyUse.Declared
            : KeyUse.Uncertain;

    private bool IsCertain()
    {
        for (int position = 0; position < _code.Code.Length; position++)
        {
            (_openFrom, _nextOpenFrom) = (_nextOpenFrom, -1);
            if (_targets.Remove(position, out ScriptFact[]? joined))
            {
                _facts = _facts is null ? joined : Join(_facts, joined);
                _openFrom = -1;
            }

            if (_facts is not null && !Follow(_code.Code[position], position))
                return false;
        }

        return true;
    }

    // False where something is uncertain.
    private bool Follow(Instruction instruction, int position)
    {
        ScriptFact[] facts = _facts!;
        int a = instruction.A;
        switch (instruction.Opcode)
        {
            case Opcode.Move:
                facts[a] = facts[instruction.B];
                return true;
            case Opcode.LoadConstant:
                facts[a] = new ScriptFact(ScriptFactKind.Constant, (_code.Constants[instruction.C].Object as LuaString)?.ToString());
                return true;
            case Opcode.LoadNil:
                facts.AsSpan(a, instruction.B + 1).Fill(ScriptFact.Nil);
                return true;
            case Opcode.GetGlobal:
                facts[a] = GlobalOf(TextOf(instruction.C));
                // Others, such as _G, lead to everything.
                return facts[a].Kind != ScriptFactKind.Nil;
            case Opcode.GetField:
                return FollowField(a, facts[instruction.B], TextOf(instruction.C));
            case Opcode.GetIndex or Opcode.GetElement:
            {
                ScriptFactKind table = facts[instruction.B].Kind;
                facts[a] = table == ScriptFactKind.Keys ? ScriptFact.Key : ScriptFact.Unknown;
                return table is not (ScriptFactKind.Server or ScriptFactKind.Library or ScriptFactKind.MaybeKeys);
            }

            case Opcode.SetUpvalue
            or Opcode.SetGlobal:
                return !facts[a].MayBeKeys;
            case Opcode.SetField or Opcode.SetElement:
                return !facts[a].MayBeKeys && !facts[instruction.B].MayBeKeys && Grow(1 + SizeOf(facts[instruction.B]));
            case Opcode.SetIndex:
                return !facts[a].MayBeKeys
                    && !facts[instruction.B].MayBeKeys
                    && !facts[instruction.C].MayBeKeys
                    && Grow(1 + SizeOf(facts[instruction.C]));
            case Opcode.SetList:
                return FollowList(instruction);
            case Opcode.Vararg:
                return FollowExtraArguments(instruction);
            case Opcode.Concatenate:
            {
                Span<ScriptFact> operands = facts.AsSpan(instruction.B, instruction.C);
                bool isCertain = !HaveKeys(operands, null) && Grow(SizeOf(operands));
                operands.Fill(ScriptFact.Unknown);
                facts[a] = ScriptFact.Unknown;
                return isCertain;
            }

            case Opcode.Call
            or Opcode.TailCall:
                return FollowCall(instruction);
            case Opcode.Return or Opcode.ReturnNothing or Opcode.ReturnOne:
                _facts = null;
                return true;
            case Opcode.Jump:
                _targets[instruction.C] = JoinAt(instruction.C);
                _facts = null;
                return instruction.C > position;
            default:
                return IsConditionalJump(instruction.Opcode) ? FollowBranch(instruction.C, position) : FollowValue(instruction);
        }
    }

    private static bool IsConditionalJump(Opcode opcode) => opcode is >= Opcode.JumpIfTrue and <= Opcode.JumpNotGreaterEqualConstant;

    private bool FollowBranch(int target, int position)
    {
        _targets[target] = JoinAt(target);
        return target > position;
    }

    // Instructions whose result is a new value. Loops, functions within the script and captured variables are uncertain.
    private bool FollowValue(Instruction instruction)
    {
        _facts![instruction.A] = ScriptFact.Unknown;
        return instruction.Opcode
            is Opcode.LoadBoolean
                or Opcode.GetUpvalue
                or Opcode.NewTable
                or Opcode.ArgumentTable
                or Opcode.Not
                or Opcode.Negate
                or Opcode.Length
                or (>= Opcode.Add and <= Opcode.PowerConstant);
    }

    private ScriptFact[] JoinAt(int target) => _targets.TryGetValue(target, out ScriptFact[]? known) ? Join(known, _facts!) : [.. _facts!];

    private static ScriptFact[] Join(ScriptFact[] one, ScriptFact[] other)
    {
        for (int i = 0; i < one.Length; i++)
            one[i] = ScriptFact.Join(one[i], other[i]);
        return one;
    }

    private ScriptFact GlobalOf(string name) =>
        name switch
        {
            "redis" or "server" => new ScriptFact(ScriptFactKind.Server),
            "KEYS" when !_isFunction => ScriptFact.Keys,
            "ARGV" when !_isFunction => ScriptFact.Unknown,
            "unpack" => new ScriptFact(ScriptFactKind.Unpack),
            _ when BriefFunctions.Contains(name) => new ScriptFact(ScriptFactKind.BriefFunction, name),
            _ when BriefFunctions.IsLibrary(name) => new ScriptFact(ScriptFactKind.Library, name),
            _ => ScriptFact.Nil,
        };

    private bool FollowField(int target, in ScriptFact table, string field)
    {
        string? library = table.Kind == ScriptFactKind.Server ? "server" : table.Text;
        ScriptFact fact =
            table.Kind is ScriptFactKind.Keys ? ScriptFact.Key
            : table.Kind is not (ScriptFactKind.Server or ScriptFactKind.Library) ? ScriptFact.Unknown
            : table.Kind == ScriptFactKind.Server && field is "call" or "pcall" ? new ScriptFact(ScriptFactKind.CommandCall)
            : BriefFunctions.Contains($"{library}.{field}") ? new ScriptFact(ScriptFactKind.BriefFunction, $"{library}.{field}")
            : ScriptFact.Unknown;
        _facts![target] = fact;
        return table.Kind != ScriptFactKind.MaybeKeys;
    }

    private bool FollowList(Instruction instruction)
    {
        int first = instruction.A + 1;
        int end = instruction.B != 0 ? first + instruction.B : _openFrom;
        if (end < first)
            return false;
        ReadOnlySpan<ScriptFact> values = _facts.AsSpan(first, end - first);
        return !HaveKeys(values, instruction.B != 0 ? null : _open) && Grow(SizeOf(values) + (instruction.B != 0 ? 0 : 1));
    }

    private bool FollowExtraArguments(Instruction instruction)
    {
        int count = instruction.B == 0 ? _facts!.Length - instruction.A : instruction.B - 1;
        Forget(instruction.A, count);
        if (instruction.B == 0)
            (_nextOpenFrom, _open) = (instruction.A, ScriptFact.Unknown);
        return true;
    }

    private bool FollowCall(Instruction instruction)
    {
        int first = instruction.A + 1;
        int end = instruction.B != 0 ? instruction.A + instruction.B : _openFrom;
        if (end < first)
            return false;
        ReadOnlySpan<ScriptFact> arguments = _facts.AsSpan(first, end - first);
        ScriptFact? open = instruction.B != 0 ? null : _open;
        ScriptFact result = ScriptFact.Unknown;
        bool joins = _facts![instruction.A].Text == BriefFunctions.Format;
        switch (_facts[instruction.A].Kind)
        {
            case ScriptFactKind.CommandCall when IsOnDeclaredKeys(arguments, open):
            case ScriptFactKind.BriefFunction
                when !HaveKeys(arguments, open) && (!joins || Grow(SizeOf(arguments) + (open is null ? 0 : 1))):
                break;
            case ScriptFactKind.Unpack when arguments.Length > 0 && !HaveKeys(arguments[1..], open) && CanUnpack(arguments[0]):
                result = arguments[0].Kind == ScriptFactKind.Keys ? ScriptFact.Key : ScriptFact.Unknown;
                break;
            default:
                return false;
        }

        // The registers after the results were the call's own.
        Forget(instruction.A, _facts.Length - instruction.A);
        if (instruction.C == 0 || instruction.Opcode == Opcode.TailCall)
            (_nextOpenFrom, _open) = (instruction.A, result);
        else
            _facts.AsSpan(instruction.A, instruction.C - 1).Fill(result);
        return true;
    }

    // The registers hold something else now, or what they held.
    private void Forget(int first, int count)
    {
        foreach (ref ScriptFact fact in _facts.AsSpan(first, count))
            fact = fact.MayBeKeys ? ScriptFact.Join(fact, ScriptFact.Unknown) : ScriptFact.Unknown;
    }

    private bool Grow(int factor)
    {
        _growth *= Math.Max(1, factor);
        return _growth <= MaxGrowth;
    }

    private static int SizeOf(ReadOnlySpan<ScriptFact> facts)
    {
        int size = 0;
        foreach (ScriptFact fact in facts)
            size += SizeOf(fact);
        return size;
    }

    // What is in the code itself does not count.
    private static int SizeOf(in ScriptFact fact) => fact.Kind is ScriptFactKind.Constant or ScriptFactKind.Nil ? 0 : 1;

    private static bool CanUnpack(in ScriptFact table) => table.Kind is ScriptFactKind.Keys or ScriptFactKind.Unknown;

    private static bool HaveKeys(ReadOnlySpan<ScriptFact> arguments, ScriptFact? open)
    {
        bool haveKeys = open is { MayBeKeys: true };
        foreach (ScriptFact argument in arguments)
            haveKeys |= argument.MayBeKeys;
        return haveKeys;
    }

    private bool IsOnDeclaredKeys(ReadOnlySpan<ScriptFact> arguments, ScriptFact? open)
    {
        if (arguments is not [{ Kind: ScriptFactKind.Constant, Text: { } name }, ..] || _commands.Find(Bytes(name)) is not { } command)
            return false;
        const CommandFlags Uncertain =
            CommandFlags.WholeKeyspace | CommandFlags.MovableKeys | CommandFlags.Module | CommandFlags.NoScript | CommandFlags.Admin;
        if (
            (command.Flags & Uncertain) != 0
            || command.IsContainer
            || command.HasUnknownKeys
            || command.Descriptor.FindKeys is not null
            || command.Has(CommandTraits.SelectsDatabase)
        )
        {
            return false;
        }

        foreach (KeySpec spec in command.Descriptor.Keys)
        {
            if ((spec.Flags & KeySpecFlags.NotKey) == 0 && !AreKeys(spec, arguments, open))
                return false;
        }

        return true;
    }

    // Whether the arguments that a command takes as keys are declared ones, whatever the number of the open ones.
    private static bool AreKeys(KeySpec spec, ReadOnlySpan<ScriptFact> arguments, ScriptFact? open)
    {
        if (spec.IsCounted || spec.Keyword is not null || spec.BeginIndex <= 0 || spec.Limit > 1)
            return false;
        bool isOpen = open is not null;
        if (isOpen && (spec.KeyStep != 1 || (spec.LastKey < 0 && open!.Value.Kind != ScriptFactKind.Key)))
            return false;
        int last =
            spec.LastKey >= 0 ? spec.BeginIndex + spec.LastKey
            : isOpen ? arguments.Length - 1
            : arguments.Length + spec.LastKey;
        for (int i = spec.BeginIndex; i <= last; i += spec.KeyStep)
        {
            ScriptFactKind kind = i < arguments.Length ? arguments[i].Kind : open?.Kind ?? ScriptFactKind.Unknown;
            if (kind is not (ScriptFactKind.Key or ScriptFactKind.Nil))
                return false;
        }

        return true;
    }

    private static byte[] Bytes(string name) => System.Text.Encoding.Latin1.GetBytes(name);

    private string TextOf(int constant) => _code.Constants[constant].Object!.ToString()!;
}
