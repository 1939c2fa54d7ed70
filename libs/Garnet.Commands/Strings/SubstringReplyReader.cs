// Copies part of a value directly from the store into the reply. Lives on the stack of one read.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>As <see cref="BulkReplyReader"/>, for a substring.</summary>
internal ref struct SubstringReplyReader(RespWriter reply, long start, long end) : IValueReader
{
    private RespWriter _reply = reply;

    /// <summary>Whether the part is too large to be copied at once.</summary>
    public bool IsTooLarge { get; private set; }

    /// <summary>
    /// The bytes from start to end, inclusive; negative indexes count from the string's end. Empty if the range is empty or outside the
    /// string.
    /// </summary>
    public static ReadOnlySpan<byte> Slice(ReadOnlySpan<byte> value, long start, long end)
    {
        if (start < 0 && end < 0 && start > end)
            return default;
        start = Math.Max(start < 0 ? start + value.Length : start, 0);
        end = Math.Max(end < 0 ? end + value.Length : end, 0);
        end = Math.Min(end, value.Length - 1);
        return start > end ? default : value.Slice((int)start, (int)(end - start + 1));
    }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
    {
        ReadOnlySpan<byte> part = Slice(value, start, end);
        IsTooLarge = part.Length > RespWriter.MaxReservedBulkBytes;
        if (!IsTooLarge)
            part.CopyTo(_reply.BeginBulk(part.Length));
    }

    /// <summary>Completes the bulk and returns the writer.</summary>
    public void Commit(ref RespWriter target)
    {
        _reply.EndBulk();
        target = _reply;
    }

    /// <summary>Returns the writer without the bulk, so that another reply can be written.</summary>
    public readonly void Abandon(ref RespWriter target) => target = _reply;
}
