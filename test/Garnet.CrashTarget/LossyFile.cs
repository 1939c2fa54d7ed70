// The writes to a file since its last sync. Any thread.
namespace Garnet.CrashTarget;

/// <summary>Queued writes to a real file, in order.</summary>
/// <param name="write">Writes to the real file.</param>
internal sealed class LossyFile(RealWrite write)
{
    private readonly Lock _gate = new();
    private readonly List<(long Position, byte[] Bytes)> _held = [];
    private Action? _cut;

    public void Write(ReadOnlySpan<byte> bytes, long position)
    {
        lock (_gate)
            _held.Add((position, bytes.ToArray()));
    }

    /// <summary>Holds back a change of the length.</summary>
    public void Cut(Action cut)
    {
        lock (_gate)
            _cut = cut;
    }

    /// <summary>Passes everything on.</summary>
    public void PassOn()
    {
        lock (_gate)
        {
            foreach ((long position, byte[] bytes) in _held)
                write(bytes, position);
            _held.Clear();
            _cut?.Invoke();
            _cut = null;
        }
    }

    public void CutPower(Random random)
    {
        lock (_gate)
        {
            foreach ((long position, byte[] bytes) in _held)
            {
                int mode = random.Next(3);
                if (mode == 1)
                    write(bytes, position);
                else if (mode == 2)
                    PassOnSome(bytes, position, random);
            }
        }
    }

    private void PassOnSome(byte[] bytes, long position, Random random)
    {
        for (int sector = 0; sector < bytes.Length; sector += LossyDevice.SectorBytes)
        {
            if (random.Next(2) == 0)
                write(bytes.AsSpan(sector, Math.Min(LossyDevice.SectorBytes, bytes.Length - sector)), position + sector);
        }
    }
}
