// A device that keeps nothing until it is synced. Any thread.
namespace Garnet.CrashTarget;

/// <summary>
/// Holds back writes to files until a sync. At a power failure each held write is passed on completely, partially by sectors, or not at
/// all; each held change of a name likewise.
/// </summary>
internal sealed class LossyDevice(Random random)
{
    public const int SectorBytes = 512;

    private readonly Lock _gate = new();
    private readonly List<LossyFile> _files = [];
    private readonly List<Action> _names = [];

    /// <summary>True with probability 1/2.</summary>
    public bool Toss()
    {
        lock (_gate)
            return random.Next(2) == 0;
    }

    public LossyFile Add(LossyFile file)
    {
        lock (_gate)
            _files.Add(file);
        return file;
    }

    /// <summary>Holds back a change of a name until the folder is synced.</summary>
    public void Hold(Action change)
    {
        lock (_gate)
            _names.Add(change);
    }

    /// <summary>Applies the changes of names.</summary>
    public void SyncNames()
    {
        lock (_gate)
        {
            foreach (Action change in _names)
                change();
            _names.Clear();
        }
    }

    public void CutPower()
    {
        lock (_gate)
        {
            foreach (LossyFile file in _files)
                file.CutPower(random);
            foreach (Action change in _names)
            {
                if (random.Next(2) == 0)
                    change();
            }
        }
    }
}
