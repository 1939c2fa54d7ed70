// Copies a part of a value straight from the store into the reply. Lives on the stack of one read.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Server.Commands.Strings;

/// <summary>As <see cref="BulkReplyReader"/>, for a range of the string.</summary>
internal ref struct SubstringReplyReader(RespWriter reply, long start, long end) : IValueReader
{
    private RespWriter _reply = reply;

    /// <summary>True when the part is too large to be copied in one piece.</summary>
    public bool IsTooLarge { get; private set; }

    /// <summary>
    /// The bytes from start to end, both counted, negative ones from the string's end; none where they lie outside or cross.
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

    /// <summary>Completes the bulk and hands the writer back.</summary>
    public void Commit(ref RespWriter target)
    {
        _reply.EndBulk();
        target = _reply;
    }

    /// <summary>Hands the writer back without the bulk; another reply can be written.</summary>
    public readonly void Abandon(ref RespWriter target) => target = _reply;
}
