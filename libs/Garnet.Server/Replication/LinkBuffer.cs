// How much is handed to the network at once on one link. Used by the connection's thread; counters are read by any.
namespace Garnet.Server.Replication;

/// <summary>
/// Begins small, and doubles while sends of the present size are taken by the network completely; halves when the network has not taken
/// the previous one. Encrypted links stay smaller, in whole records.
/// </summary>
internal sealed class LinkBuffer(bool isEncrypted)
{
    private const int MinBytes = 64 * 1024;
    private const int MaxPlainBytes = 1 << 20;
    private const int MaxEncryptedBytes = 256 * 1024;

    private long _sends;
    private long _bytes;

    /// <summary>The present size.</summary>
    public int Size { get; private set; } = MinBytes;

    /// <summary>Sends so far.</summary>
    public long Sends => Volatile.Read(ref _sends);

    /// <summary>Bytes sent so far.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Room for the next send, from the number of bytes that the network has not taken yet.</summary>
    public long Begin(long unsent)
    {
        if (unsent >= Size / 2 && Size > MinBytes)
            Size /= 2;
        return Math.Max(0, Size - unsent);
    }

    /// <summary>A send was handed over.</summary>
    /// <param name="bytes">Its size.</param>
    /// <param name="isFull">Whether it used all the room, so that a larger one may pay.</param>
    public void NoteSend(long bytes, bool isFull)
    {
        if (bytes == 0)
            return;
        Volatile.Write(ref _sends, _sends + 1);
        Volatile.Write(ref _bytes, _bytes + bytes);
        if (isFull)
            Size = Math.Min(Size * 2, isEncrypted ? MaxEncryptedBytes : MaxPlainBytes);
    }
}
