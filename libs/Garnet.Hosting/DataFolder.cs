// Acquires the data folder for a server that is about to start. One thread.
using Garnet.Server.Persistence;

namespace Garnet.Hosting;

/// <summary>Detects at the start, instead of at the first save, that a server cannot save.</summary>
internal static class DataFolder
{
    /// <summary>
    /// Acquires the locks of the files that the server will write, which also checks that files can be created there.
    /// </summary>
    /// <exception cref="OptionException">Another server has it, or nothing can be written there.</exception>
    public static void Take(DataLocks locks, GarnetOptions options)
    {
        try
        {
            locks.TakeConfigured(options);
        }
        catch (DataInUseException e)
        {
            throw new OptionException(e.Message);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new OptionException(DataLocks.UnwritableText(options, e));
        }
    }
}
