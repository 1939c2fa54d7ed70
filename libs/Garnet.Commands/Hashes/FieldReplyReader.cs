// Copies a field's value directly from the store into the reply. Lives on the stack of one read.
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>
/// Writes a field's value as a bulk reply while the hash is read without a latch; a retry starts the bulk over. Holds a copy of the
/// context's writer during the read, since a field cannot reference it; <see cref="End"/> returns it.
/// </summary>
internal ref struct FieldReplyReader(ReadOnlySpan<byte> field, long nowMs, RespWriter reply) : IValueReader
{
    private readonly ReadOnlySpan<byte> _field = field;
    private RespWriter _reply = reply;

    /// <summary>Whether the hash has the field.</summary>
    public bool IsFound { get; private set; }

    /// <summary>Whether the value is too long to be written at once.</summary>
    public bool IsTooLong { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
    {
        var hash = new HashView(value, in info, nowMs);
        IsFound = hash.TryGet(_field, out PackedElement element);
        int length = element.Length;
        IsTooLong = length > RespWriter.MaxReservedBulkBytes;
        if (IsFound && !IsTooLong)
            element.CopyTo(_reply.BeginBulk(length));
    }

    /// <summary>Completes the bulk, if it was written, and returns the writer.</summary>
    public void End(ref RespWriter target, bool isWritten)
    {
        if (isWritten)
            _reply.EndBulk();
        target = _reply;
    }
}
