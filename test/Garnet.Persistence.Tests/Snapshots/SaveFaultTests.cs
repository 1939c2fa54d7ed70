// What remains of a snapshot if the disk fails at each step of saving it. Each test has its own store and disk.
using Garnet.Persistence.Snapshots;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Persistence.Tests.Snapshots;

public sealed class SaveFaultTests(ITestOutputHelper output)
{
    [Fact]
    public void A_save_consists_of_these_steps_in_this_order()
    {
        using var scene = new SaverScene();
        Assert.Equal(SaveResult.Success, scene.Save().Result);
        string[] steps = [.. scene.Disk.Steps.Where((step, i) => i == 0 || scene.Disk.Steps[i - 1] != step)];
        Assert.Equal(["create", "write", "set-length", "sync", "rename", "sync-folder"], steps);
    }

    [Fact]
    public void A_power_failure_at_any_step_leaves_the_complete_old_or_new_snapshot()
    {
        int steps = StepsOfOneSave();
        for (int step = 0; step <= steps; step++)
        {
            using var scene = new SaverScene();
            scene.Save();
            Dictionary<string, string> old = new(scene.Model);
            scene.Fill("second");
            Dictionary<string, string> young = new(scene.Model);
            scene.Disk.PowerLossAt = scene.Disk.Steps.Count + step;
            SaveOutcome outcome = scene.Save(writesMeanwhile: step % 2 == 0);
            Assert.Equal(step == steps ? SaveResult.Success : SaveResult.Failed, outcome.Result);
            byte[] found = scene.Disk.Restart().Read(SaverScene.File)!;
            Assert.Equal(outcome.Result == SaveResult.Success ? young : old, SaverScene.Load(found));
        }
    }

    [Fact]
    public void An_error_at_any_step_is_reported_keeps_the_old_snapshot_and_does_not_affect_the_next()
    {
        int steps = StepsOfOneSave();
        for (int step = 0; step < steps; step++)
        {
            using var scene = new SaverScene();
            scene.Save();
            Dictionary<string, string> old = new(scene.Model);
            scene.Fill("second");
            int failing = scene.Disk.Steps.Count + step;
            string? name = null;
            scene.Disk.Fail = (number, at) =>
            {
                if (number != failing)
                    return null;
                name = at;
                return new IOException("Input/output error");
            };
            Dictionary<string, string> atFlip = new(scene.Model);
            SaveOutcome failed = scene.Save(writesMeanwhile: true);
            Assert.Equal(SaveResult.Failed, failed.Result);
            Assert.Contains("Input/output error", failed.Error, StringComparison.Ordinal);

            // Only if the sync of the folder failed does the new file have its name already; it is complete, but not guaranteed to be
            // durable.
            Assert.Equal(name == "sync-folder" ? atFlip : old, SaverScene.Load(scene.Disk.Read(SaverScene.File)!));
            Assert.Equal([SaverScene.File], scene.Disk.Files);
            Assert.False(scene.Store.Snapshots.IsActive);
            Assert.Equal(SaveResult.Success, scene.Save().Result);
            Assert.Equal(scene.Model, SaverScene.Load(scene.Disk.Restart().Read(SaverScene.File)!));
        }
    }

    [Fact]
    public void A_full_disk_fails_the_save_until_there_is_room()
    {
        using var scene = new SaverScene();
        int writes = 0;
        scene.Disk.Fail = (_, step) => step == "write" && ++writes > 1 ? new IOException("No space left on device") : null;
        SaveOutcome failed = scene.Save();
        Assert.Equal(SaveResult.Failed, failed.Result);
        Assert.Contains("No space left on device", failed.Error, StringComparison.Ordinal);
        Assert.Empty(scene.Disk.Files);
        scene.Disk.Fail = null;
        Assert.Equal(SaveResult.Success, scene.Save().Result);
        Assert.Equal(scene.Model, SaverScene.Load(scene.Disk.Read(SaverScene.File)!));
    }

    [Theory]
    [InlineData(1, 70_001)]
    [InlineData(4096, 70_001)]
    [InlineData(512, 5000)]
    public void Short_writes_give_the_same_complete_file(int alignment, int mostPerWrite)
    {
        using var scene = new SaverScene();
        scene.Save();
        int length = scene.Disk.Read(SaverScene.File)!.Length;
        scene.Disk.Alignment = alignment;
        scene.Disk.MaxPerWrite = mostPerWrite;
        Assert.Equal(SaveResult.Success, scene.Save().Result);

        // The order of keys depends on time slices; the checksum covers the whole file.
        byte[] file = scene.Disk.Read(SaverScene.File)!;
        Assert.Equal(length, file.Length);
        Assert.Equal(scene.Model, SaverScene.Load(file));
    }

    [Fact]
    public void A_device_that_accepts_nothing_fails_the_save_instead_of_blocking_it_forever()
    {
        using var scene = new SaverScene();
        scene.Disk.Alignment = 4096;
        scene.Disk.MaxPerWrite = 100;
        Assert.Equal(SaveResult.Failed, scene.Save().Result);
    }

    [Fact]
    public void A_cancelled_save_leaves_the_old_snapshot_and_the_next_is_exact()
    {
        using var scene = new SaverScene();
        scene.Save();
        Dictionary<string, string> old = new(scene.Model);
        scene.Fill("second");
        scene.Disk.Fail = (_, step) =>
        {
            if (step == "write")
                scene.Saver.Cancel(tag: null);
            return null;
        };
        Assert.Equal(SaveResult.Cancelled, scene.Save(writesMeanwhile: true).Result);
        Assert.Equal(old, SaverScene.Load(scene.Disk.Read(SaverScene.File)!));
        Assert.Equal([SaverScene.File], scene.Disk.Files);
        scene.Disk.Fail = null;
        Assert.Equal(SaveResult.Success, scene.Save().Result);
        Assert.Equal(scene.Model, SaverScene.Load(scene.Disk.Read(SaverScene.File)!));
    }

    [Fact]
    public void Every_flipped_bit_of_a_snapshot_is_detected()
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var scene = new SaverScene();
        scene.Save();
        byte[] file = scene.Disk.Read(SaverScene.File)!;
        for (int i = 0; i < FaultScale.Count(60, 10_000); i++)
        {
            int bit = random.Next(file.Length * 8);
            byte[] damaged = [.. file];
            damaged[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.True(Record.Exception(() => SaverScene.Load(damaged)) is not null, $"seed {seed}: bit {bit} was not noticed");
        }
    }

    private static int StepsOfOneSave()
    {
        using var scene = new SaverScene();
        scene.Save();
        return scene.Disk.Steps.Count;
    }
}
