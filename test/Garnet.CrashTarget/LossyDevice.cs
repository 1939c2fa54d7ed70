// A device that keeps nothing before it is synced. Any thread.
namespace Garnet.CrashTarget;

/// <summary>
/// Holds back what files were given; a sync passes it on. When the power goes, each held write is passed on whole, in part by sectors, or
/// not at all; each held change of a name likewise.
/// </summary>
internal sealed class LossyDevice(Random random)
{
    public const int SectorBytes = 512;

    private readonly Lock _gate = new();
    private readonly List<LossyFile> _files = [];
    private readonly List<Action> _names = [];

    /// <summary>True for one of two coins.</summary>
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

    /// <summary>Holds a change of a name back until the folder is synced.</summary>
    public void Hold(Action change)
    {
        lock (_gate)
            _names.Add(change);
    }

    /// <summary>Makes the changes of names.</summary>
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
