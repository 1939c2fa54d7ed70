// Copies a value straight from the store into the reply. Lives on the stack of one read.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Server.Commands.Strings;

/// <summary>
/// Writes a string as a bulk reply while it is read without a latch: a retry starts the bulk over. Holds the context's writer by value
/// during the read, since it cannot be referenced; <see cref="Commit"/> or <see cref="Abandon"/> returns it.
/// </summary>
internal ref struct BulkReplyReader(RespWriter reply) : IValueReader
{
    // Values of this size lie in blocks, which are sent in place.
    private const int LargeBytes = 16 * 1024;

    private RespWriter _reply = reply;

    /// <summary>True when the value is large: better sent in place than copied.</summary>
    public bool IsTooLarge { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
    {
        IsTooLarge = value.Length >= LargeBytes;
        if (!IsTooLarge)
            value.CopyTo(_reply.BeginBulk(value.Length));
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
