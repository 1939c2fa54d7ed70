// BITOP AND | OR | XOR | NOT destkey key [key ...]
using System.Buffers;
using Garnet.Commands.Strings;
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Bitmaps;

/// <summary>
/// Combines strings bitwise, stores the result in another key, and replies with its length, which is that of the longest source.
/// </summary>
internal static class BitOpCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "BITOP",
        Arity = -4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.Bitmap,
        Traits = CommandTraits.Compares,
        Since = "2.6.0",
        Keys =
        [
            KeySpec.Range(2, 0, 1, KeySpecFlags.OW | KeySpecFlags.Update),
            KeySpec.Range(3, -1, 1, KeySpecFlags.RO | KeySpecFlags.Access),
        ],
        Handler = Execute,
    };

    private const int Target = 2;
    private const int FirstSource = 3;

    // The result is computed in pieces, so that a source that is also the destination is read before it is overwritten, and no second
    // string is needed.
    private const int PieceBytes = 32 * 1024;

    private static void Execute(ref CommandContext context)
    {
        if (!TryParse(in context, out BitOperation operation))
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        if (operation == BitOperation.Not && context.Count != FirstSource + 1)
        {
            context.Reply.WriteError("ERR BITOP NOT must be called with a single source key."u8);
            return;
        }

        if (!TryReserve(ref context))
            return;
        context.LatchKeys(Target, 1, context.Count - Target);
        if (!TryMeasure(ref context, out int length))
            return;
        RecordHandle target = context.OpenTarget(Target, length > 0);
        if (length == 0)
            target.Delete();
        else
            Store(in context, operation, ref target, length);
        if (length > 0)
            context.Notify(KeyEvent.Set, Target);
        context.Reply.WriteInteger(length);
    }

    private static bool TryParse(in CommandContext context, out BitOperation operation)
    {
        operation = BitOperation.And;
        if (context.Is(1, "AND"u8))
            return true;
        operation = BitOperation.Or;
        if (context.Is(1, "OR"u8))
            return true;
        operation = BitOperation.Xor;
        if (context.Is(1, "XOR"u8))
            return true;
        operation = BitOperation.Not;
        return context.Is(1, "NOT"u8);
    }

    // The length of the longest source; writes the error and returns false if one is not a string.
    private static bool TryMeasure(ref CommandContext context, out int length)
    {
        length = 0;
        for (int i = FirstSource; i < context.Count; i++)
        {
            RecordHandle source = context.Open(i);
            context.CountLookup(source.Exists, i);
            if (!source.Exists)
                continue;
            if (source.Type != RecordType.String)
            {
                context.Reply.WriteError(ErrorText.WrongType);
                return false;
            }

            length = Math.Max(length, source.Length);
        }

        return true;
    }

    private static bool TryReserve(ref CommandContext context)
    {
        if (context.Store.Store.Budget.MaxBytes == 0)
            return true;
        int length = 0;
        for (int i = FirstSource; i < context.Count; i++)
        {
            LengthReader reader = default;
            context.ReadUntouched(i, RecordType.String, ref reader);
            length = Math.Max(length, reader.Length);
        }

        return StringGrowth.TryReserve(ref context, Target, length, 0);
    }

    private static void Store(in CommandContext context, BitOperation operation, ref RecordHandle target, int length)
    {
        // A destination of another type cannot be a source. The destination's expiry is never kept.
        if (target.Exists && target.Type != RecordType.String)
            target.Delete();
        else if (target.ExpiresAtMs >= 0)
            target.SetExpiry(-1);
        Span<byte> result = target.Resize(length);
        byte[] rented = ArrayPool<byte>.Shared.Rent(Math.Min(length, PieceBytes));
        for (int offset = 0; offset < length; offset += PieceBytes)
        {
            Span<byte> piece = rented.AsSpan(0, Math.Min(PieceBytes, length - offset));
            ReadOnlySpan<byte> first = PieceOf(context.OpenUntouched(FirstSource), offset, piece.Length);
            first.CopyTo(piece);
            piece[first.Length..].Clear();
            for (int i = FirstSource + 1; i < context.Count; i++)
                BitwiseVectors.Combine(operation, piece, PieceOf(context.OpenUntouched(i), offset, piece.Length));
            if (operation == BitOperation.Not)
                BitwiseVectors.Invert(piece);
            piece.CopyTo(result[offset..]);
        }

        ArrayPool<byte>.Shared.Return(rented);
    }

    private static ReadOnlySpan<byte> PieceOf(RecordHandle source, int offset, int length)
    {
        ReadOnlySpan<byte> value = source.Value;
        return offset < value.Length ? value.Slice(offset, Math.Min(length, value.Length - offset)) : default;
    }
}
