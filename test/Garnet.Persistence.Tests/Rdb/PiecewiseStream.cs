// A file in memory that gives its bytes in pieces of uneven size. One thread.
namespace Garnet.Persistence.Tests.Rdb;

/// <summary>Reads as a slow file would: never all that was asked for.</summary>
internal sealed class PiecewiseStream(byte[] bytes) : MemoryStream(bytes, writable: false)
{
    private int _reads;

    public override int Read(byte[] buffer, int offset, int count) =>
        base.Read(buffer, offset, Math.Min(count, 1 + (_reads++ * 7919 % 100_003)));

    public override int Read(Span<byte> buffer) => base.Read(buffer[..Math.Min(buffer.Length, 1 + (_reads++ * 7919 % 100_003))]);
}
