// The disk region of a server's data. Made at the start; thread-safe.
using Garnet.Engine.Execution;
using Garnet.Persistence.Files;
using Garnet.Persistence.Tier;
using Garnet.Store;
using Garnet.Store.Tiering;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Tiering;

/// <summary>Opens the tier that the options ask for, and lets commands wait for values in it. It ends with the store.</summary>
internal sealed class ServerTier
{
    private readonly HybridLogStore _store;
    private readonly ILogger _log;

    /// <summary>Creates the part; no tier without <see cref="GarnetOptions.MaxDiskBytes"/>.</summary>
    public ServerTier(HybridLogStore store, ILogger log)
    {
        _store = store;
        _log = log;
        Watch = new TierWatch(store, log);
    }

    /// <summary>The tier; null where all values are in memory.</summary>
    public ColdTier? Tier => _store.Tier;

    /// <summary>What becomes of it.</summary>
    public TierWatch Watch { get; }

    /// <summary>Opens the tier, if the options ask for one.</summary>
    /// <param name="options">The options.</param>
    /// <param name="holder">Says which server holds the folder.</param>
    /// <param name="gate">Is given the source of values.</param>
    /// <param name="device">What the tier uses in place of its files.</param>
    /// <exception cref="OptionException">The folder cannot be used, or an option excludes another.</exception>
    public void Open(GarnetOptions options, string holder, ColdValueGate gate, Func<ITierDevice, ITierDevice> device)
    {
        if (options.MaxDiskBytes == 0)
            return;
        if (TierRules.Problem(options) is { } problem)
            throw new OptionException(problem);
        string folder = Path.GetFullPath(options.TierDir, options.Dir);
        TierFiles files;
        try
        {
            files = TierFiles.Open(folder, holder);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new OptionException($"tier-dir {folder}: {e.Message}");
        }

        var tier = ColdTier.Open(_store, TierRules.Sizes(options), device(files), () => gate.Source = new TierValueSource(_store));
        tier.Mover.Start();
        _log.LogInformation("Values that are not used move to '{Folder}', up to {Bytes} bytes", folder, options.MaxDiskBytes);
    }
}
