// Takes the folder of the data for a server that is about to start. One thread.
using Garnet.Server.Persistence;
using Garnet.Server.Sessions;

namespace Garnet.Hosting;

/// <summary>A server that is to save must be able to: better known at the start than at the first save.</summary>
internal static class DataFolder
{
    /// <summary>
    /// Takes the right to write the files that the server is to write all the time, which also shows that files can be made there.
    /// </summary>
    /// <exception cref="OptionException">Another server has it, or nothing can be written there.</exception>
    public static void Take(RespServer server)
    {
        GarnetOptions options = server.Configuration.Current;
        try
        {
            server.Persistence.Locks.TakeConfigured(options);
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
