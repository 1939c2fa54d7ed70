// All commands of a server by name, looked up without case and without allocation. Read by any thread; changed under the barrier.
using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Text;

namespace Garnet.Server.CommandModel;

/// <summary>
/// Finds commands by the bytes of their name in an open-addressed table keyed by the lower-cased first and last eight bytes.
/// </summary>
internal sealed class CommandTable
{
    /// <summary>The longest name that a command may have.</summary>
    public const int MaxNameLength = 32;

    private readonly Stack<int> _freeIds = new();
    private Entry[] _slots;
    private Command[] _commands;
    private int _count;
    private int _limit;

    /// <summary>Builds the table for the given command descriptors.</summary>
    public CommandTable(IEnumerable<CommandDescriptor> descriptors)
    {
        _commands = descriptors.Select(d => new Command(d, null, ref _count)).ToArray();
        _slots = SlotsOf(_commands);
    }

    /// <summary>Top-level commands in registration order.</summary>
    public IReadOnlyList<Command> Commands => _commands;

    /// <summary>All ids, including those of subcommands and of commands that may be added, are below this.</summary>
    public int IdLimit => Math.Max(_limit, _count);

    /// <summary>The number of commands that may still be added.</summary>
    public int FreeIds => IdLimit - _count + _freeIds.Count;

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
            _slots = SlotsOf(commands);
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
        _slots = SlotsOf(commands);
        _commands = commands;
        ReleaseIds(removed);
    }

    /// <summary>Finds a top-level command by name in any case; null when unknown.</summary>
    public Command? Find(ReadOnlySpan<byte> name)
    {
        if (!TryLoad(name, out ulong head, out ulong tail))
            return null;
        Entry[] slots = _slots;
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
                && (!entry.Verify || Ascii.EqualsIgnoreCase(name, entry.Command.FullNameBytes))
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

    private static Entry[] SlotsOf(Command[] commands)
    {
        var slots = new Entry[BitOperations.RoundUpToPowerOf2((uint)commands.Length * 4)];
        foreach (Command command in commands)
            Insert(slots, command);
        return slots;
    }

    private static void Insert(Entry[] slots, Command command)
    {
        if (!TryLoad(command.FullNameBytes, out ulong head, out ulong tail))
            throw new InvalidOperationException($"command name '{command.FullName}' is longer than {MaxNameLength} bytes");
        uint mask = (uint)slots.Length - 1;
        uint i = SlotOf(head | Lower, tail | Lower, command.FullNameBytes.Length) & mask;
        while (slots[i].Command is not null)
        {
            if (slots[i].Command!.FullName == command.FullName)
                throw new InvalidOperationException($"command '{command.FullName}' is registered twice");
            i = (i + 1) & mask;
        }

        bool verify = command.FullNameBytes.Length > 16 || command.FullName.Any(c => !char.IsAsciiLetterLower(c) && (c & 0x20) == 0);
        slots[i] = new Entry(head | Lower, tail | Lower, OthersOf(head), OthersOf(tail), command.FullNameBytes.Length, verify, command);
    }

    private static uint SlotOf(ulong head, ulong tail, int length) =>
        (uint)(((head ^ BitOperations.RotateLeft(tail, 23) ^ (ulong)length) * 0x9E3779B97F4A7C15UL) >> 40);

    // Setting bit 5 folds case but also maps a few non-letters onto each other: where a name has a dot, a hyphen or a digit, which have the
    // bit themselves, it must be set in the request too. The middle of names over 16 bytes is in neither word; these, and names with other
    // characters, have Verify set and are compared byte by byte.
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
        if (name.Length is 0 or > MaxNameLength)
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
        bool Verify,
        Command? Command
    );
}
