// A reference-counted native block holding one large value. Thread-safe counting; the bytes follow the store's latching rules.
namespace Garnet.Store;

/// <summary>A large value outside the log. Whoever holds a counted reference may read its bytes; nobody changes a shared block.</summary>
public readonly struct ValueBlock
{
    /// <summary>Number of bytes in use.</summary>
    public int Length => throw new NotImplementedException();

    /// <summary>The bytes in use.</summary>
    public Span<byte> Span => throw new NotImplementedException();

    /// <summary>Gives the reference back; frees the block when it was the last.</summary>
    public void Release() => throw new NotImplementedException();
}
