// Listens to a server's instruments from within its process. benchmark/metrics.py makes the runtime load it there (DOTNET_STARTUP_HOOKS),
// which requires a type with this name outside of any namespace. Runs on the timer's thread.
using System.Diagnostics.Metrics;

/// <summary>
/// Collects all instruments of the meter Garnet each second, as an exporter does, and prints once how many measurements that gave.
/// </summary>
internal static class StartupHook
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    // Keeps them alive.
    private static readonly MeterListener Listener = new() { InstrumentPublished = Take };
    private static Timer? s_timer;
    private static int s_measurements;
    private static bool s_isTold;

    /// <summary>Called by the runtime before Main.</summary>
    public static void Initialize()
    {
        Listener.SetMeasurementEventCallback<double>(static (_, _, _, _) => s_measurements++);
        Listener.Start();
        s_timer = new Timer(static _ => Collect(), null, Period, Period);
    }

    private static void Take(Instrument instrument, MeterListener listener)
    {
        if (instrument.Meter.Name == "Garnet")
            listener.EnableMeasurementEvents(instrument);
    }

    private static void Collect()
    {
        Listener.RecordObservableInstruments();
        if (s_isTold || s_measurements == 0)
            return;
        s_isTold = true;
        Console.WriteLine($"measurements: {s_measurements}");
    }
}
