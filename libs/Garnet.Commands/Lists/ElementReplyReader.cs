// Copies an element of a list directly from the store into the reply. Lives on the stack of one read.
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Lists;

namespace Garnet.Commands.Lists;

/// <summary>
/// Writes the element at an index as a bulk reply while the list is read without a latch; a retry starts the bulk over. Holds a copy of the
/// context's writer during the read; <see cref="Commit"/> or <see cref="Abandon"/> returns it.
/// </summary>
internal ref struct ElementReplyReader(RespWriter reply, long index) : IValueReader
{
    private RespWriter _reply = reply;

    /// <summary>Whether the element exists and its bulk has been started.</summary>
    public bool IsWritten { get; private set; }

    /// <summary>Whether the element is too long to be written at once.</summary>
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

    /// <summary>Completes the bulk and returns the writer.</summary>
    public void Commit(ref RespWriter target)
    {
        _reply.EndBulk();
        target = _reply;
    }

    /// <summary>Returns the writer without the bulk, so that another reply can be written.</summary>
    public readonly void Abandon(ref RespWriter target) => target = _reply;
}
