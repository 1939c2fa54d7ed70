// Bytes that someone else owns, on their way to the network. Any thread.
namespace Garnet.Store.Memory;

/// <summary>Keeps bytes where they are, unchanged, until they are returned; so they can be sent without a copy.</summary>
internal interface ILentBytes
{
    /// <summary>The first byte; it does not move while the bytes are lent.</summary>
    nint Address { get; }

    /// <summary>The number of bytes.</summary>
    int Length { get; }

    /// <summary>To be called once.</summary>
    void Return();
}
