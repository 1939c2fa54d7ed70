// Copies a field's value straight from the store into the reply. Lives on the stack of one read.
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Server.Commands.Hashes;

/// <summary>
/// Writes a field's value as a bulk reply while the hash is read without a latch: a retry starts the bulk over. Holds the context's writer
/// by value during the read, since it cannot be referenced; <see cref="End"/> returns it.
/// </summary>
internal ref struct FieldReplyReader(ReadOnlySpan<byte> field, long nowMs, RespWriter reply) : IValueReader
{
    private readonly ReadOnlySpan<byte> _field = field;
    private RespWriter _reply = reply;

    /// <summary>True when the hash has the field.</summary>
    public bool IsFound { get; private set; }

    /// <summary>True when the value is longer than the reply has room for in one piece.</summary>
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

    /// <summary>Completes the bulk, if it was written, and hands the writer back.</summary>
    public void End(ref RespWriter target, bool isWritten)
    {
        if (isWritten)
            _reply.EndBulk();
        target = _reply;
    }
}
