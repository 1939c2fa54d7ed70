// An in-memory file that returns its bytes in pieces of varying size. One thread.
namespace Garnet.Persistence.Tests.Rdb;

/// <summary>Reads like a slow file: never all that was requested.</summary>
internal sealed class PiecewiseStream(byte[] bytes) : MemoryStream(bytes, writable: false)
{
    private int _reads;

    public override int Read(byte[] buffer, int offset, int count) =>
        base.Read(buffer, offset, Math.Min(count, 1 + (_reads++ * 7919 % 100_003)));

    public override int Read(Span<byte> buffer) => base.Read(buffer[..Math.Min(buffer.Length, 1 + (_reads++ * 7919 % 100_003))]);
}
