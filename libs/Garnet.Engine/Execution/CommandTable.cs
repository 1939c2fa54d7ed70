// All commands of a server by name, looked up without case and without allocation. Read by any thread; changed under the barrier.
using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Text;
using Garnet.Engine.Requests;

namespace Garnet.Engine.Execution;

/// <summary>
/// Finds commands by the bytes of their name in an open-addressed table keyed by the lower-cased first and last eight bytes.
/// </summary>
internal sealed class CommandTable
{
    /// <summary>The longest name that a command may have.</summary>
    public const int MaxNameLength = 32;

    /// <summary>The longest name that a command may be given instead of its own.</summary>
    public const int MaxNewNameLength = 128;

    private readonly Stack<int> _freeIds = new();
    private Entry[] _slots;
    private Entry[] _originals; // by the commands' own names: the same as _slots while no command has another name
    private Command[] _commands;
    private int _count;
    private int _limit;

    /// <summary>Builds the table for the given command descriptors.</summary>
    /// <param name="descriptors">The commands.</param>
    /// <param name="newNames">
    /// The names by which clients call some of them instead, by their own names; an empty one hides the command. Those that no command has
    /// are ignored.
    /// </param>
    /// <exception cref="InvalidOperationException">Two commands would have the same name, or one is too long.</exception>
    public CommandTable(IEnumerable<CommandDescriptor> descriptors, IReadOnlyDictionary<string, string>? newNames = null)
    {
        _commands = descriptors.Select(d => new Command(d, null, ref _count, NewNameOf(d, newNames))).ToArray();
        (_slots, _originals) = Build(_commands);
    }

    /// <summary>Top-level commands in registration order, including those that clients cannot call.</summary>
    public IReadOnlyList<Command> Commands => _commands;

    /// <summary>The commands that clients can call, by whatever name.</summary>
    public IReadOnlyList<Command> Callable => _slots == _originals ? _commands : Array.FindAll(_commands, static each => each.IsCallable);

    /// <summary>All ids, including those of subcommands and of commands that may be added, are below this.</summary>
    public int IdLimit => Math.Max(_limit, _count);

    /// <summary>The number of commands that may still be added.</summary>
    public int FreeIds => IdLimit - _count + _freeIds.Count;

    /// <summary>Gives all commands the parts of the server that they need. Before the first call.</summary>
    public void Bind(CommandParts parts)
    {
        foreach (Command command in _commands)
            command.Bind(parts);
    }

    /// <summary>Makes space for commands that are added later. Before anything is indexed by ids.</summary>
    public void Reserve(int commands) => _limit = _count + commands;

    /// <summary>
    /// Adds commands without subcommands. The caller holds the barrier, unless the server has not started; an ID may be that of a command
    /// that was removed.
    /// </summary>
    /// <exception cref="InvalidOperationException">A name is taken or too long; nothing was added.</exception>
    public Command[] Add(IReadOnlyList<CommandDescriptor> descriptors)
    {
        Command[] added = [.. descriptors.Select(NewCommand)];
        Command[] commands = [.. _commands, .. added];
        try
        {
            (_slots, _originals) = Build(commands);
        }
        catch (InvalidOperationException)
        {
            ReleaseIds(added);
            throw;
        }

        _commands = commands;
        return added;
    }

    /// <summary>Removes commands that <see cref="Add"/> returned. The caller holds the barrier.</summary>
    public void Remove(IReadOnlyCollection<Command> removed)
    {
        Command[] commands = [.. _commands.Except(removed)];
        (_slots, _originals) = Build(commands);
        _commands = commands;
        ReleaseIds(removed);
    }

    /// <summary>Finds a top-level command by the name that clients know, in any case; null when unknown.</summary>
    public Command? Find(ReadOnlySpan<byte> name) => Find(_slots, name);

    /// <summary>
    /// Finds a top-level command by its own name, whatever clients call it: for effects, users' rules and code in the process.
    /// </summary>
    public Command? FindOriginal(ReadOnlySpan<byte> name) => Find(_originals, name);

    private static Command? Find(Entry[] slots, ReadOnlySpan<byte> name)
    {
        if (!TryLoad(name, out ulong head, out ulong tail))
            return null;
        uint mask = (uint)slots.Length - 1;
        for (uint i = SlotOf(head | Lower, tail | Lower, name.Length) & mask; ; i = (i + 1) & mask)
        {
            ref readonly Entry entry = ref slots[i];
            if (entry.Command is null)
                return null;
            if (
                entry.Head == (head | Lower)
                && entry.Tail == (tail | Lower)
                && ((entry.HeadOthers & ~head) | (entry.TailOthers & ~tail)) == 0
                && entry.Length == name.Length
                && (entry.Verified is null || Ascii.EqualsIgnoreCase(name, entry.Verified))
            )
            {
                return entry.Command;
            }
        }
    }

    private Command NewCommand(CommandDescriptor descriptor)
    {
        if (!_freeIds.TryPop(out int id))
            return new Command(descriptor, null, ref _count);
        return new Command(descriptor, null, ref id);
    }

    private void ReleaseIds(IEnumerable<Command> commands)
    {
        foreach (Command command in commands)
            _freeIds.Push(command.Id);
    }

    private static string? NewNameOf(CommandDescriptor descriptor, IReadOnlyDictionary<string, string>? newNames) =>
        newNames is { Count: > 0 } && newNames.TryGetValue(descriptor.Name.ToLowerInvariant(), out string? name) ? name : null;

    private static (Entry[] Slots, Entry[] Originals) Build(Command[] commands)
    {
        Entry[] originals = NewSlots(commands);
        foreach (Command command in commands)
            Insert(originals, command, command.FullNameBytes, MaxNameLength);
        if (!Array.Exists(commands, static command => command.IsRenamed))
            return (originals, originals);
        Entry[] slots = NewSlots(commands);
        foreach (Command command in commands)
        {
            if (command.IsCallable)
                Insert(slots, command, command.CallName, MaxNewNameLength);
        }

        return (slots, originals);
    }

    private static Entry[] NewSlots(Command[] commands) => new Entry[BitOperations.RoundUpToPowerOf2((uint)commands.Length * 4)];

    private static void Insert(Entry[] slots, Command command, byte[] name, int maxLength)
    {
        if (name.Length > maxLength || !TryLoad(name, out ulong head, out ulong tail))
            throw new InvalidOperationException($"command name '{Encoding.ASCII.GetString(name)}' is longer than {maxLength} bytes");
        if (Find(slots, name) is not null)
            throw new InvalidOperationException($"command '{Encoding.ASCII.GetString(name)}' is registered twice");
        uint mask = (uint)slots.Length - 1;
        uint i = SlotOf(head | Lower, tail | Lower, name.Length) & mask;
        while (slots[i].Command is not null)
            i = (i + 1) & mask;

        bool verify = name.Length > 16 || name.Any(c => !char.IsAsciiLetterLower((char)c) && (c & 0x20) == 0);
        slots[i] = new Entry(head | Lower, tail | Lower, OthersOf(head), OthersOf(tail), name.Length, verify ? name : null, command);
    }

    private static uint SlotOf(ulong head, ulong tail, int length) =>
        (uint)(((head ^ BitOperations.RotateLeft(tail, 23) ^ (ulong)length) * 0x9E3779B97F4A7C15UL) >> 40);

    // Setting bit 5 folds case but also maps a few non-letters onto each other: where a name has a dot, a hyphen or a digit, which have the
    // bit themselves, it must be set in the request too. The middle of names over 16 bytes is in neither word; these, and names with other
    // characters, are compared byte by byte.
    private const ulong Lower = 0x2020202020202020UL;

    // Bit 5 of each byte of a word that is neither a letter nor unused.
    private static ulong OthersOf(ulong word)
    {
        ulong others = 0;
        for (int i = 0; i < 64; i += 8)
        {
            char each = (char)(byte)(word >> i);
            others |= char.IsAsciiLetter(each) ? 0UL : (each & 0x20UL) << i;
        }

        return others;
    }

    private static bool TryLoad(ReadOnlySpan<byte> name, out ulong head, out ulong tail)
    {
        head = tail = 0;
        if (name.Length is 0 or > MaxNewNameLength)
            return false;
        if (name.Length <= 8)
        {
            head = Load(name);
            return true;
        }

        head = BinaryPrimitives.ReadUInt64LittleEndian(name);
        tail = BinaryPrimitives.ReadUInt64LittleEndian(name[^8..]);
        return true;
    }

    private static ulong Load(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length >= 4)
        {
            ulong low = MemoryMarshal.Read<uint>(bytes);
            ulong high = MemoryMarshal.Read<uint>(bytes[^4..]);
            return low | (high << ((bytes.Length - 4) * 8));
        }

        ulong value = 0;
        for (int i = 0; i < bytes.Length; i++)
            value |= (ulong)bytes[i] << (i * 8);
        return value;
    }

    private readonly record struct Entry(
        ulong Head,
        ulong Tail,
        ulong HeadOthers,
        ulong TailOthers,
        int Length,
        byte[]? Verified,
        Command? Command
    );
}
