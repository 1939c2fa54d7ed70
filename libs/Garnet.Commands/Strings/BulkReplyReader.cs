// Copies a value directly from the store into the reply. Lives on the stack of one read.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>
/// Writes a string as a bulk reply while it is read without a latch; a retry starts the bulk over. Holds a copy of the context's writer
/// during the read, since a field cannot reference it; <see cref="Commit"/> or <see cref="Abandon"/> returns it.
/// </summary>
internal ref struct BulkReplyReader(RespWriter reply) : IValueReader
{
    // Values of this size are stored in blocks, which are sent without copying.
    private const int LargeBytes = 16 * 1024;

    private RespWriter _reply = reply;

    /// <summary>Whether the value is so large that it should be sent without copying.</summary>
    public bool IsTooLarge { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
    {
        IsTooLarge = value.Length >= LargeBytes;
        if (!IsTooLarge)
            value.CopyTo(_reply.BeginBulk(value.Length));
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
