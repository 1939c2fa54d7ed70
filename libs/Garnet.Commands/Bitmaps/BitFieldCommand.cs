// BITFIELD key [GET type offset | [OVERFLOW WRAP | SAT | FAIL] SET type offset value | INCRBY type offset increment ...]
using System.Buffers;
using Garnet.Commands.Strings;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Bitmaps;

/// <summary>Reads and modifies integers of any width within the string at a key.</summary>
internal static class BitFieldCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "BITFIELD",
        Arity = -2,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.Bitmap,
        Traits = CommandTraits.ChangesPart,
        Since = "3.2.0",
        Keys =
        [
            KeySpec.Range(
                1,
                0,
                1,
                KeySpecFlags.RW | KeySpecFlags.Update | KeySpecFlags.Access | KeySpecFlags.VariableFlags,
                notes: "This command allows both access and modification of the key"
            ),
        ],
        KeyFlags = KeyFlags,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => Execute(ref context, mayWrite: true);

    /// <summary>Executes the operations; replies with an error if one of them writes and that is not allowed.</summary>
    internal static void Execute(ref CommandContext context, bool mayWrite)
    {
        BitFieldOperation[] rented = ArrayPool<BitFieldOperation>.Shared.Rent(BitFieldParser.MaxOperations(in context));
        if (BitFieldParser.TryParse(ref context, rented, out int count))
        {
            ReadOnlySpan<BitFieldOperation> operations = rented.AsSpan(0, count);
            long lastBit = LastBitWritten(operations);
            if (lastBit < 0)
                Read(ref context, operations);
            else if (mayWrite)
                Write(ref context, operations, lastBit);
            else
                context.Reply.WriteError("ERR BITFIELD_RO only supports the GET subcommand"u8);
        }

        ArrayPool<BitFieldOperation>.Shared.Return(rented);
    }

    // -1 if all operations only read.
    private static long LastBitWritten(ReadOnlySpan<BitFieldOperation> operations)
    {
        long last = -1;
        foreach (ref readonly BitFieldOperation operation in operations)
        {
            if (operation.Kind != BitFieldKind.Get)
                last = Math.Max(last, operation.LastBit);
        }

        return last;
    }

    private static void Read(ref CommandContext context, ReadOnlySpan<BitFieldOperation> operations)
    {
        long[] rented = ArrayPool<long>.Shared.Rent(operations.Length);
        Span<long> integers = rented.AsSpan(0, operations.Length);
        integers.Clear();
        BitFieldReader reader = new(operations, integers);
        if (context.Read(1, RecordType.String, ref reader) == ReadOutcome.WrongType)
        {
            context.Reply.WriteError(ErrorText.WrongType);
        }
        else
        {
            context.Reply.WriteArray(integers.Length);
            foreach (long integer in integers)
                context.Reply.WriteInteger(integer);
        }

        ArrayPool<long>.Shared.Return(rented);
    }

    private static void Write(ref CommandContext context, ReadOnlySpan<BitFieldOperation> operations, long lastBit)
    {
        int length = (int)(lastBit >> 3) + 1;
        if (!StringGrowth.TryReserve(ref context, 1, length, 0))
            return;
        RecordHandle record = context.Open(1);
        if (record.Exists && record.Type != RecordType.String)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            return;
        }

        // The key is marked as changed only if a bit changes or the string grows.
        Span<byte> writable = !record.Exists || record.Length < length ? record.Resize(length) : default;
        bool isGrown = !writable.IsEmpty;
        int changes = 0;
        ReadOnlySpan<byte> value = record.Value;
        context.Reply.WriteArray(operations.Length);
        foreach (ref readonly BitFieldOperation operation in operations)
        {
            long old = operation.Read(value);
            if (operation.Kind == BitFieldKind.Get)
            {
                context.Reply.WriteInteger(old);
                continue;
            }

            if (!operation.TryApply(old, out long changed))
            {
                context.Reply.WriteNull();
                continue;
            }

            context.Reply.WriteInteger(operation.Kind == BitFieldKind.Set ? old : changed);
            changes += isGrown || changed != old ? 1 : 0;
            if (changed == old)
                continue;
            if (writable.IsEmpty)
            {
                writable = record.Mutate();
                value = writable;
            }

            operation.Write(writable, changed);
        }

        if (changes > 0)
            context.Notify(BitmapEvents.SetBit, 1);
        context.CountChanges(changes);
        record.MarkEdited();
    }

    private readonly ref struct BitFieldReader(ReadOnlySpan<BitFieldOperation> operations, Span<long> integers) : IValueReader
    {
        private readonly ReadOnlySpan<BitFieldOperation> _operations = operations;
        private readonly Span<long> _integers = integers;

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
        {
            for (int i = 0; i < _operations.Length; i++)
                _integers[i] = _operations[i].Read(value);
        }
    }

    // A call that only gets changes nothing.
    private static KeySpecFlags KeyFlags(in CommandContext context, int offset)
    {
        for (int i = offset + 2; i < context.Count; )
        {
            int more = context.Count - 1 - i;
            if (context.Is(i, "GET"u8) && more >= 2)
                i += 3;
            else if (context.Is(i, "OVERFLOW"u8) && more >= 1)
                i += 2;
            else
                return KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update;
        }

        return KeySpecFlags.RO | KeySpecFlags.Access;
    }
}
