// All commands of a server by name, looked up without case and without allocation. Immutable after construction.
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
    private const int MaxNameLength = 32;

    private readonly Entry[] _slots;
    private readonly Command[] _commands;
    private readonly int _count;

    /// <summary>Builds the table for the given command descriptors.</summary>
    public CommandTable(IEnumerable<CommandDescriptor> descriptors)
    {
        int nextId = 0;
        _commands = descriptors.Select(d => new Command(d, null, ref nextId)).ToArray();
        _count = nextId;
        _slots = new Entry[BitOperations.RoundUpToPowerOf2((uint)_commands.Length * 4)];
        foreach (Command command in _commands)
            Insert(command);
    }

    /// <summary>Top-level commands in registration order.</summary>
    public IReadOnlyList<Command> Commands => _commands;

    /// <summary>Number of ids assigned, including subcommands.</summary>
    public int IdCount => _count;

    /// <summary>Finds a top-level command by name in any case; null when unknown.</summary>
    public Command? Find(ReadOnlySpan<byte> name)
    {
        if (!TryFold(name, out ulong head, out ulong tail))
            return null;
        uint mask = (uint)_slots.Length - 1;
        for (uint i = SlotOf(head, tail, name.Length) & mask; ; i = (i + 1) & mask)
        {
            ref readonly Entry entry = ref _slots[i];
            if (entry.Command is null)
                return null;
            if (
                entry.Head == head
                && entry.Tail == tail
                && entry.Length == name.Length
                && (!entry.Verify || Ascii.EqualsIgnoreCase(name, entry.Command.FullNameBytes))
            )
            {
                return entry.Command;
            }
        }
    }

    private void Insert(Command command)
    {
        if (!TryFold(command.FullNameBytes, out ulong head, out ulong tail))
            throw new InvalidOperationException($"command name '{command.FullName}' is longer than {MaxNameLength} bytes");
        uint mask = (uint)_slots.Length - 1;
        uint i = SlotOf(head, tail, command.FullNameBytes.Length) & mask;
        while (_slots[i].Command is not null)
        {
            if (_slots[i].Command!.FullName == command.FullName)
                throw new InvalidOperationException($"command '{command.FullName}' is registered twice");
            i = (i + 1) & mask;
        }

        bool verify = command.FullNameBytes.Length > 16 || command.FullName.Any(c => !char.IsAsciiLetterLower(c));
        _slots[i] = new Entry(head, tail, command.FullNameBytes.Length, verify, command);
    }

    private static uint SlotOf(ulong head, ulong tail, int length) =>
        (uint)(((head ^ BitOperations.RotateLeft(tail, 23) ^ (ulong)length) * 0x9E3779B97F4A7C15UL) >> 40);

    // Setting bit 5 folds case but also maps a few non-letters onto each other, and the middle of names over 16 bytes is in neither word;
    // names where this could be ambiguous have Verify set and are compared byte by byte.
    private static bool TryFold(ReadOnlySpan<byte> name, out ulong head, out ulong tail)
    {
        const ulong Lower = 0x2020202020202020UL;
        head = tail = 0;
        if (name.Length is 0 or > MaxNameLength)
            return false;
        if (name.Length <= 8)
        {
            head = Load(name) | Lower;
            return true;
        }

        head = BinaryPrimitives.ReadUInt64LittleEndian(name) | Lower;
        tail = BinaryPrimitives.ReadUInt64LittleEndian(name[^8..]) | Lower;
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

    private readonly record struct Entry(ulong Head, ulong Tail, int Length, bool Verify, Command? Command);
}
