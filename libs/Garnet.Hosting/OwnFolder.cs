// The folder that a named server has unless its settings name another. Stateless; at start and when settings are reloaded.
namespace Garnet.Hosting;

/// <summary>
/// Servers of one application that shared the working directory would load each other's files at the next start, so that each named one has
/// a folder in it.
/// </summary>
internal static class OwnFolder
{
    /// <summary>
    /// The folder of the server with a name: <c>garnet-sessions</c> in the working directory, which the unnamed one has itself.
    /// </summary>
    public static string Of(string server) =>
        server.Length == 0
            ? Directory.GetCurrentDirectory()
            : Path.Combine(Directory.GetCurrentDirectory(), "garnet-" + Uri.EscapeDataString(server));

    /// <summary>
    /// Makes the folder, if it is the one in the settings. Where that is impossible and nothing is saved, the server has the working
    /// directory instead; otherwise the check of the settings says that the folder does not exist.
    /// </summary>
    public static void Make(string server, GarnetOptions options)
    {
        if (server.Length == 0 || options.Dir != Of(server))
            return;
        try
        {
            Directory.CreateDirectory(options.Dir);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            if (options.Save.Count == 0 && !options.AppendOnly)
                options.Dir = Directory.GetCurrentDirectory();
        }
    }
}
