// How much is handed to the network at once on one link. Used by the connection's thread; counters are read by any.
namespace Garnet.Server.Replication;

/// <summary>
/// Begins small and doubles while sends of the present size use all the room. Larger sends than the limit saved nothing beyond the noise of
/// the measurement, encrypted or not. Several receivers take turns: for them the size halves while the network has not taken the previous
/// send. The figures are in docs/replication.md.
/// </summary>
internal sealed class LinkBuffer
{
    // A record of TLS.
    private const int MinBytes = 16 * 1024;
    private const int FirstBytes = 64 * 1024;
    private const int MaxBytes = 256 * 1024;

    private long _sends;
    private long _bytes;
    private int _most = FirstBytes;

    /// <summary>The present size.</summary>
    public int Size { get; private set; } = FirstBytes;

    /// <summary>Sends so far.</summary>
    public long Sends => Volatile.Read(ref _sends);

    /// <summary>Bytes sent so far.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Room for the next send.</summary>
    /// <param name="unsent">The number of bytes that the network has not taken yet.</param>
    /// <param name="receivers">Links that send the same.</param>
    /// <param name="fixedBytes">The size that the options say; 0 when they leave it to the link.</param>
    public long Begin(long unsent, int receivers, long fixedBytes)
    {
        if (fixedBytes > 0)
        {
            _most = Size = (int)fixedBytes;
        }
        else
        {
            _most = MaxBytes;
            bool isTaken = unsent < Size / 2;
            Size = Math.Clamp(isTaken || receivers <= 1 ? Size : Size / 2, MinBytes, _most);
        }

        return Math.Max(0, Size - unsent);
    }

    /// <summary>A send was handed over.</summary>
    /// <param name="bytes">Its size.</param>
    /// <param name="isFull">Whether it used all the room, so that a larger one may pay.</param>
    public void OnSent(long bytes, bool isFull)
    {
        if (bytes == 0)
            return;
        Volatile.Write(ref _sends, _sends + 1);
        Volatile.Write(ref _bytes, _bytes + bytes);
        if (isFull)
            Size = Math.Min(Size * 2, _most);
    }
}
