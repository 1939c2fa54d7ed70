// Copies an element of a list straight from the store into the reply. Lives on the stack of one read.
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Lists;

namespace Garnet.Server.Commands.Lists;

/// <summary>
/// Writes the element at an index as a bulk reply while the list is read without a latch: a retry starts the bulk over. Holds the context's
/// writer by value during the read; <see cref="Commit"/> or <see cref="Abandon"/> returns it.
/// </summary>
internal ref struct ElementReplyReader(RespWriter reply, long index) : IValueReader
{
    private RespWriter _reply = reply;

    /// <summary>Whether there is such an element, and its bulk is begun.</summary>
    public bool IsWritten { get; private set; }

    /// <summary>Whether the element is too long to be written so.</summary>
    public bool IsTooLarge { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
    {
        ListView list = new(value, info);
        IsWritten = IsTooLarge = false;
        if (!list.TryGetAt(index < 0 ? index + list.Length : index, out PackedElement element))
            return;
        int length = element.Length;
        IsTooLarge = length > RespWriter.MaxReservedBulkBytes;
        if (IsTooLarge)
            return;
        element.CopyTo(_reply.BeginBulk(length));
        IsWritten = true;
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
